"""SQL of engines that are not here: sqlglot parses it, writes it again as it was, and as DuckDB's, where it is run."""

import sqlglot

import duck

DIALECTS = ["bigquery", "snowflake", "trino", "redshift", "tsql"]


def readable(dialect, cases):
    """Without what the engine has not: BigQuery's names have no backquotes."""
    return (case for case in cases if dialect != "bigquery" or "`" not in case.table)


class Engine(duck.Engine):
    """A dialect in a database of DuckDB."""

    def __init__(self, dialect, folder):
        super().__init__(folder)
        self.name = self.dialect = dialect

    def query(self, sql):
        """The names of the columns, and the rows."""
        understood = sqlglot.parse_one(sql, read=self.dialect)
        written = understood.sql(self.dialect)
        if sqlglot.parse_one(written, read=self.dialect).sql(self.dialect) != written:
            raise ValueError(f"what sqlglot writes in {self.dialect} it does not read")
        return super().query(understood.sql("duckdb"))
