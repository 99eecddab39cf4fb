"""The functions of the rule language, one module for each group; ``table`` holds them all."""
