"""Score one turn, in a script or in a notebook: no key, no network, no schema."""

from stef import Evaluator, Turn

turn = Turn(question="How many customers are in Brazil?", sql="SELECT COUNT(*) FROM Customer WHERE Country = 'Peru'")
print(Evaluator().assess_sync(turn).outcome)
