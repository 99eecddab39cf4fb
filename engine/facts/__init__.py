"""What can be read off an address, a tool, a schema or a text without asking anybody. Pure functions over JSON."""
