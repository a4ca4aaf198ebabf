"""Questions in English to Readings: a deterministic rule reader, and a model reader behind the same function."""
