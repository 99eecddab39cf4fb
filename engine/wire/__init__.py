"""Transports: httpx on trio for Streamable HTTP, a trio process for stdio; framing and parsing.

``http.HttpWire`` and ``stdio.start_stdio`` make a ``wire.Wire``. They are not imported here: start-up must
not pay for httpx.
"""
