"""One rule against one target: gates, steps, checks, verdict."""
