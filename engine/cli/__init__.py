"""Typer apps: parse, call, print; no logic."""
