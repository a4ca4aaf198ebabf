"""Names that logs commonly give to the fields of a Turn, and the ready-made mappings of known exporters."""

from stef.runs.paths import Path, parse_path

# Folded: lower case, without `_`, `-` and spaces. In the order of trust; a field's own name always comes first.
ALIASES: dict[str, tuple[str, ...]] = {
    "question": (
        "nlquestion", "userquestion", "naturallanguagequestion", "originalquestion", "nlquery", "userquery",
        "utterance", "userinput", "nl",
    ),
    "sql": (
        "predictedsql", "generatedsql", "predsql", "sqlquery", "finalsql", "outputsql", "generatedquery",
        "predictedquery", "predsqlquery", "sqlpred", "modelsql", "agentsql", "querysql", "sqltext", "sqlstatement",
    ),
    "enriched_question": (
        "rewrittenquestion", "rephrasedquestion", "rewordedquestion", "enhancedquestion", "standalonequestion",
        "expandedquestion", "reformulatedquestion", "contextualizedquestion", "enriched", "rewrittenquery", "rewrite",
    ),
    "id": ("turnid", "requestid", "questionid", "recordid", "uuid"),
    "dialect": ("sqldialect", "dbtype"),
    "app": ("application", "appname", "appid", "tenantapp"),
    "agent": ("agentname", "agentid", "modelname", "model"),
    "agent_version": ("agentversion", "version", "release", "modelversion"),
    "timestamp": (
        "createdat", "time", "created", "datetime", "ts", "starttime", "startedat", "requesttime", "askedat",
        "loggedat", "timestampms", "creationdate",
    ),
    "session": ("sessionid", "conversationid", "threadid", "chatid"),
    "history": ("previousquestions", "conversationhistory", "chathistory", "priorquestions"),
    "outcome": ("turnoutcome",),
    "answer": ("finalanswer", "answertext", "agentanswer"),
    "tables_offered": ("retrievedtables", "tablesretrieved"),
    "ddl_offered": ("ddl", "schemaddl"),
    "latency": ("latencyseconds", "latencys", "durationseconds", "durations", "latencyms", "durationms", "elapsedms",
                "executiontimems"),
    "cost": ("costusd", "totalcost", "totalcostusd"),
    "database": ("dbid", "databasename", "dbname", "databaseid"),
    "rows": ("resultrows",),
}  # fmt: skip

# A name that is the question in one log and the SQL in the next: it is whichever the rest of the record lacks.
EITHER_QUESTION = ("query", "input")
EITHER_SQL = ("query", "output", "response", "completion", "prediction", "pred", "generated")

IN_MILLISECONDS = frozenset({"latencyms", "durationms", "elapsedms", "executiontimems"})

_ASKED = ("question", "user_question", "nl_question", "query", "input", "text", "prompt", "messages.-1.content")
_DONE = (
    "sql", "sql_query", "generated_sql", "query", "output", "result", "response", "answer", "text", "content",
    "messages.-1.content",
)  # fmt: skip


def _paths(*texts: str) -> tuple[Path, ...]:
    return tuple(parse_path(text) for text in texts)


def _within(outer: str, inner: tuple[str, ...]) -> tuple[Path, ...]:
    return (*_paths(*(f"{outer}.{name}" for name in inner)), parse_path(outer))


PRESETS: dict[str, dict[str, tuple[Path, ...]]] = {
    # Traces of the public API and the JSON export; observations of the export (startTime, traceId).
    "langfuse": {
        "question": _within("input", _ASKED),
        "sql": _within("output", _DONE),
        "enriched_question": _paths("output.enriched_question", "metadata.enriched_question"),
        "id": _paths("id"),
        "timestamp": _paths("timestamp", "startTime"),
        "session": _paths("sessionId"),
        "agent": _paths("name"),
        "agent_version": _paths("version", "release"),
        "latency": _paths("latency"),
        "cost": _paths("totalCost", "calculatedTotalCost"),
        "source.trace_id": _paths("traceId", "id"),
    },
    # The documented run (span) format: inputs and outputs are objects.
    "langsmith": {
        "question": _within("inputs", _ASKED)[:-1],
        "sql": _within("outputs", _DONE)[:-1],
        "enriched_question": _paths("outputs.enriched_question", "extra.metadata.enriched_question"),
        "id": _paths("id"),
        "timestamp": _paths("start_time"),
        "session": _paths("extra.metadata.session_id", "extra.metadata.thread_id"),
        "agent": _paths("name"),
        "agent_version": _paths("extra.metadata.revision_id", "extra.metadata.version"),
        "cost": _paths("total_cost"),
        "source.run_id": _paths("id"),
        "source.trace_id": _paths("trace_id"),
    },
    # Spans of OpenInference: Phoenix's dataframe (flat names with dots) and its JSON (an object `attributes`).
    "phoenix": {
        "question": _within('attributes."input.value"', _ASKED) + _within("attributes.input.value", _ASKED),
        "sql": _within('attributes."output.value"', _DONE) + _within("attributes.output.value", _DONE),
        "id": _paths("context.span_id", "span_id", "id"),
        "timestamp": _paths("start_time"),
        "session": _paths('attributes."session.id"', "attributes.session.id"),
        "agent": _paths("name"),
        "source.span_id": _paths("context.span_id", "span_id"),
        "source.trace_id": _paths("context.trace_id", "trace_id"),
    },
    # mlflow.search_traces(): versions 3 and 2.
    "mlflow": {
        "question": _within("request", _ASKED),
        "sql": _within("response", _DONE),
        "id": _paths("trace_id", "request_id"),
        "timestamp": _paths("request_time", "timestamp_ms"),
        "session": _paths('trace_metadata."mlflow.trace.session"', 'request_metadata."mlflow.trace.session"'),
        "agent": _paths('tags."mlflow.traceName"'),
        "latency_ms": _paths("execution_duration", "execution_time_ms"),
        "source.trace_id": _paths("trace_id", "request_id"),
    },
    # Predictions joined to the questions of the benchmark; `query` there is the gold SQL and is not read.
    "spider": {
        "question": _paths("question"),
        "sql": _paths("predicted_sql", "pred_sql", "prediction", "predicted", "pred", "generated_sql", "sql"),
        "database": _paths("db_id"),
        "id": _paths("id", "question_id"),
    },
    # The same for BIRD; `SQL` there is the gold, and `evidence` the hint that belongs to the question.
    "bird": {
        "question": _paths("question"),
        "enriched_question": _paths("enriched_question"),
        "hint": _paths("evidence"),
        "sql": _paths("predicted_sql", "pred_sql", "prediction", "predicted", "pred", "generated_sql", "sql"),
        "database": _paths("db_id"),
        "id": _paths("question_id", "id"),
    },
}
PRESETS["openinference"] = PRESETS["phoenix"]
