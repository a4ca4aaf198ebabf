"""Question sets that come with stef, each with the way to its data."""
