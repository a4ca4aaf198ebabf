"""What a RUN of `stef score` was measured with: two RUNs that differ in it do not measure alike."""

from typing import Final

EVALUATION: Final = {
    "judge": "judge",
    "judge_settings": "settings of the judge",
    "prompts_hash": "prompts",
    "reader": "reader of questions",
    "reader_prompts_hash": "prompts of the reader",
    "dialect": "default dialect",
    "calibration": "calibration",
    "rules": "rules",
    "stef_version": "version of stef",
}
"""Keys of `settings.evaluation` in run.json, and their names in words."""
