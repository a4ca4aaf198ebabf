"""The records that the rooms hand to each other: frozen, closed, without behaviour of their own."""
