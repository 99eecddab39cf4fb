"""Which rules run, in which order, next to what; sessions, restarts, retries; the report."""
