"""Whose refusal was that? One mechanism for every step that hopes for a refusal, or must not be refused."""
