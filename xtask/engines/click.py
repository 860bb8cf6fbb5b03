"""ClickHouse, in this process."""

import pyarrow as pa
from chdb import session

from duck import quoted

# The types of columns, in the order of `tables.TYPES`.
TYPES = ("Float64", "Float32", "Decimal(12, 4)", "Int32", "Int64", "Date32", "String")


class Engine:
    """A session with the tables in memory; `folder` is for Parquet files."""

    name, dialect = "clickhouse", "ansi"

    def __init__(self, folder):
        self.folder = folder / "clickhouse"

    def __enter__(self):
        self.session = session.Session()
        return self

    def __exit__(self, *_):
        self.session.close()

    def load(self, table):
        """Copies a table into the database."""
        file = table.write_parquet(self.folder)
        columns = ", ".join(f"{quoted(name)} Nullable({kind})" for name, kind in table.column_types(TYPES))
        self.session.query(f"create table {quoted(table.name)} ({columns}) engine = Memory")
        names = ", ".join(quoted(name) for name in table.content.column_names)
        self.session.query(f"insert into {quoted(table.name)} select {names} from file('{file}', Parquet)")

    def query(self, sql):
        """Runs a query and returns the column names and the rows."""
        result = pa.ipc.open_file(self.session.query(sql, "Arrow").bytes()).read_all()
        return result.column_names, [tuple(map(decode, row.values())) for row in result.to_pylist()]


def decode(cell):
    """Decodes a text, which ClickHouse returns as bytes."""
    return cell.decode() if isinstance(cell, bytes) else cell
