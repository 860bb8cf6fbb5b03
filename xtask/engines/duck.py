"""DuckDB, in this process."""

import duckdb


class Engine:
    """A database in memory."""

    name, dialect = "duckdb", "ansi"

    def __init__(self, _folder):
        self.connection = duckdb.connect()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.connection.close()

    def load(self, table):
        """Copies a table into the database."""
        content = table.content  # DuckDB looks up the variable by its name in the query
        self.connection.execute(f"create table {quoted(table.name)} as from content")
        del content

    def query(self, sql):
        """Runs a query and returns the column names and the rows."""
        result = self.connection.execute(sql)
        return [column[0] for column in result.description], result.fetchall()


def quoted(name):
    """Quotes an identifier as in standard SQL."""
    return '"' + name.replace('"', '""') + '"'
