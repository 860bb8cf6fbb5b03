"""DataFusion, in this process."""

import datafusion
import pyarrow.parquet as pq

from duck import quoted


class Engine:
    """A session with the tables as Parquet files in `folder`."""

    name, dialect = "datafusion", "ansi"

    def __init__(self, folder):
        self.session, self.folder, self.tables = datafusion.SessionContext(), folder / "datafusion", 0

    def __enter__(self):
        self.folder.mkdir(parents=True, exist_ok=True)
        return self

    def __exit__(self, *_):
        pass

    def load(self, table):
        """Writes a table to a file and registers it."""
        self.tables += 1
        file = self.folder / f"{self.tables}.parquet"
        pq.write_table(table.content, file)
        self.session.register_parquet(quoted(table.name), str(file))

    def query(self, sql):
        """Runs a query and returns the column names and the rows."""
        result = self.session.sql(sql).to_arrow_table()
        return result.column_names, [tuple(row.values()) for row in result.to_pylist()]
