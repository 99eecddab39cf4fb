"""The pytest plugin: ``pytest --mcp-target URL_OR_COMMAND`` runs one test for each rule, without a test file."""
