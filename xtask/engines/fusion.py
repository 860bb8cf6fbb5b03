"""DataFusion, in this process."""

import datafusion
import pyarrow.parquet as pq

from duck import quoted


class Engine:
    """A session with its tables in our folder."""

    name, dialect = "datafusion", "ansi"

    def __init__(self, folder):
        self.session, self.folder, self.tables = datafusion.SessionContext(), folder / "datafusion", 0

    def __enter__(self):
        self.folder.mkdir(parents=True, exist_ok=True)
        return self

    def __exit__(self, *_):
        pass

    def load(self, table):
        """Makes a table readable."""
        self.tables += 1
        file = self.folder / f"{self.tables}.parquet"
        pq.write_table(table.content, file)
        self.session.register_parquet(quoted(table.name), str(file))

    def query(self, sql):
        """The names of the columns, and the rows."""
        found = self.session.sql(sql).to_arrow_table()
        return found.column_names, [tuple(row.values()) for row in found.to_pylist()]
