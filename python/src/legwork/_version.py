VERSION = "0.1.0"
"""The version in pyproject.toml; a test compares them."""
