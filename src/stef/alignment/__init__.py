"""Asked against done: two Specs side by side, dimension by dimension, under the application's rules."""
