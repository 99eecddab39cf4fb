"""What was sent and what came back, as immutable records; the recorder keeps all of them."""
