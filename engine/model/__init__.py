"""Plain data of a run: options, verdicts, results, the report; scoring is a pure function on them."""
