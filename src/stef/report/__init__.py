"""Self-contained pages of what stef found: one HTML file each, nothing fetched from anywhere, no script."""
