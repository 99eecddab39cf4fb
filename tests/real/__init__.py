"""Grades real servers, made with the official SDKs, and compares with verdicts that people reached by hand."""
