"""Replay corpus: servers that misbehave in known ways, and the verdict each of them deserves."""
