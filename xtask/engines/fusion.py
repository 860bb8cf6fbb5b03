"""DataFusion, in this process."""

import datafusion

from duck import quoted


class Engine:
    """A session with the tables as Parquet files in `folder`."""

    name, dialect = "datafusion", "ansi"

    def __init__(self, folder):
        self.session, self.folder = datafusion.SessionContext(), folder / "datafusion"

    def __enter__(self):
        return self

    def __exit__(self, *_):
        pass

    def load(self, table):
        """Writes a table to a file and registers it."""
        self.session.register_parquet(quoted(table.name), str(table.write_parquet(self.folder)))

    def query(self, sql):
        """Runs a query and returns the column names and the rows."""
        result = self.session.sql(sql).to_arrow_table()
        return result.column_names, [tuple(row.values()) for row in result.to_pylist()]
