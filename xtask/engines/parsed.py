"""SQL of engines that are not here: sqlglot parses it, writes it again as it was, and as DuckDB's, where it is run."""

import sqlglot

import duck

DIALECTS = ["bigquery", "snowflake", "trino", "redshift", "tsql"]


class Engine(duck.Engine):
    """A dialect in a database of DuckDB."""

    def __init__(self, dialect, folder):
        super().__init__(folder)
        self.name = self.dialect = dialect

    def query(self, sql):
        """The names of the columns, and the rows."""
        understood = sqlglot.parse_one(sql, read=self.dialect)
        again = sqlglot.parse_one(understood.sql(self.dialect), read=self.dialect)
        if again != understood:
            raise ValueError(f"{self.dialect} is not understood")
        return super().query(understood.sql("duckdb"))
