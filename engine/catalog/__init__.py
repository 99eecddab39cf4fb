"""YAML to typed, frozen rule objects with positions; schemas; the expression compiler and its functions."""
