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
        content = table.content  # DuckDB finds it by this name
        self.connection.execute(f"create table {quoted(table.name)} as from content")
        del content

    def query(self, sql):
        """The names of the columns, and the rows."""
        found = self.connection.execute(sql)
        return [column[0] for column in found.description], found.fetchall()


def quoted(name):
    """An identifier in standard SQL."""
    return '"' + name.replace('"', '""') + '"'
