"""SQL for engines that are not available here, translated by sqlglot and run by DuckDB."""

import sqlglot

import duck

DIALECTS = ["bigquery", "snowflake", "spark", "trino", "redshift", "tsql"]


def supported(dialect, cases):
    """Cases that the dialect can express: a BigQuery table name cannot contain a backquote."""
    return (case for case in cases if dialect != "bigquery" or "`" not in case.table)


class Engine(duck.Engine):
    """A dialect whose queries run in DuckDB."""

    def __init__(self, dialect, folder):
        super().__init__(folder)
        self.name = self.dialect = dialect

    def query(self, sql):
        """Translates and runs a query, and returns the column names and the rows.

        Raises `ValueError` if sqlglot cannot read its own output, a sign that it misread the query.
        """
        parsed = sqlglot.parse_one(sql, read=self.dialect)
        written = parsed.sql(self.dialect)
        if sqlglot.parse_one(written, read=self.dialect).sql(self.dialect) != written:
            raise ValueError(f"what sqlglot writes in {self.dialect} it does not read")
        return super().query(parsed.sql("duckdb"))
