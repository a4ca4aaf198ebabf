"""Functions that do more than read the database: they write, lock, read files, or run SQL that no guard saw.

A read-only connection or transaction stops most of what writes, and nothing of the rest. A function that only waits
passes where the time limit is known to end it, and is refused elsewhere.
"""

import re
from functools import lru_cache

# Of PostgreSQL's functions that begin with pg_, those that only look; any other is refused, so that a new one is, too.
_PG_LOOKS = (
    r"typeof|get_\w+|\w*size\w*|\w+_is_visible|encoding_to_char|char_to_encoding|collation_\w+|timezone_\w+|"
    r"postmaster_start_time|backend_pid|client_encoding|describe_object|options_to_table|index\w*_has_property|"
    r"partition_\w+|stat_get_\w+|trigger_depth|is_in_recovery|my_temp_schema|conf_load_time|relation_filenode|"
    r"input_is_valid|tablespace_location|current_\w+|filenode_relation|identify_object"
)
_POSTGRES = (
    rf"pg_(?!(?:{_PG_LOOKS}|sleep\w*)\b)\w+|lo_\w+|loread|lowrite|dblink\w*|(?:query|cursor)_to_xml\w*|set_config|"
    r"nextval|setval|ts_stat|ts_rewrite|crosstab\w*|connectby|postgres_fdw_\w+|aws_\w+|http_\w+|"
    r"brin_\w+|gin_clean_\w+"
)
_MYSQL = (
    r"load_file|get_lock|release_lock|release_all_locks|nextval|setval|sys_(?:exec|eval|get|set)|"
    r"master_pos_wait|master_gtid_wait|source_pos_wait|wait_for_executed_gtid_set|wait_until_sql_thread_after_gtids"
)
_MYSQL_LIKE = rf"{_MYSQL}|sleep|benchmark"
_TSQL = r"openrowset|openquery|opendatasource|xp_\w+|sp_\w+|fn_\w*file\w*|fn_trace_gettable|fn_(?:dump_)?dblog"
_FORBIDDEN = {
    "sqlite": r"load_extension|readfile|writefile|edit|fsdir|fts3_tokenizer",
    "duckdb": (
        r"read_\w+|parquet_\w+|\w+_scan|\w+_query|\w+_attach|glob|sniff_\w+|getenv|query|nextval|checkpoint|"
        r"force_checkpoint|write_log|which_secret|duckdb_secrets|\w+_execute|http_\w+|pragma_import\w*"
    ),
    "postgres": _POSTGRES,
    "redshift": rf"{_POSTGRES}|pg_sleep\w*",
    "mysql": _MYSQL,
    "singlestore": _MYSQL_LIKE,
    "doris": _MYSQL_LIKE,
    "starrocks": _MYSQL_LIKE,
    "tsql": _TSQL,
    "fabric": _TSQL,
    "oracle": r"utl_\w+|dbms_(?!lob\b|random\b)\w+|httpuritype|nextval",
    "snowflake": r"system\$\w+",
    "bigquery": r"external_query",
    "clickhouse": (
        r"file|url\w*|s3\w*|remote\w*|cluster\w*|mysql|postgresql|mongodb|redis|jdbc|odbc|sqlite|hdfs\w*|executable|"
        r"sleep\w*|input|azure\w*|gcs|iceberg\w*|deltalake\w*|hudi\w*"
    ),
    # Functions that pass a text on to what lies behind.
    "trino": r"query|raw_query",
    "presto": r"query|raw_query",
    "athena": r"query|raw_query|external_query",
    "spark": r"reflect|java_method|try_reflect|read_files",
    "databricks": r"reflect|java_method|try_reflect|read_files|http_request|ai_query",
}


@lru_cache(maxsize=64)
def forbidden_functions(dialect: str) -> re.Pattern[str]:
    """Matches, as a whole and in any letter case, the names that are refused as functions in `dialect`."""
    return re.compile(_FORBIDDEN.get(dialect, r"(?!)"), re.IGNORECASE)
