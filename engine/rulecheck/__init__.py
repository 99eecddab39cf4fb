"""Checks rule files before they are used: everything that is wrong with all of them, each with its place."""
