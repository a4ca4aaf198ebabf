"""Application rules, many turns, and the reasons behind a score.

In a notebook, `await evaluator.assess(turn)` works as well.
"""

import json
from pathlib import Path

from stef import AppRules, Evaluator, Turn
from stef.records.assessment import Scored

HERE = Path(__file__).parent
SHOWN = 3

rules = AppRules.model_validate(
    {
        "value_mappings": {"Country": {"USA": ["United States"]}},
        "mandatory_filters": [{"column": "Invoice.IsTest", "op": "=", "value": 0, "why": "Test invoices never count."}],
    }
)
evaluator = Evaluator(rules=rules)
fields = Turn.model_fields.keys()

for line in (HERE / "sales" / "log.jsonl").read_text("utf-8").splitlines()[:SHOWN]:
    turn = Turn.model_validate({key: value for key, value in json.loads(line).items() if key in fields})
    assessment = evaluator.assess_sync(turn)
    outcome = assessment.outcome
    print(turn.question)
    if not isinstance(outcome, Scored):
        print(f"  no score: {outcome.reason.value}: {outcome.detail}")
        continue
    print(f"  {outcome.score:g} ({outcome.band.value})")
    filters = assessment.alignment.filters if assessment.alignment else None
    for required in filters.required if filters else ():
        print(f"  {required.state.value}: {required.text}, asked by the {required.origin.value}")
    for extra in filters.extras if filters else ():
        print(f"  extra: {extra.text}" + (f", benign by {extra.benign_by}" if extra.benign_by else ""))
