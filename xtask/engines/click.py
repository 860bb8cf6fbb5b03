"""ClickHouse, in this process."""

import pyarrow as pa
import pyarrow.parquet as pq
from chdb import session

from duck import quoted


class Engine:
    """A session with the tables in memory; `folder` is for Parquet files."""

    name, dialect = "clickhouse", "ansi"

    def __init__(self, folder):
        self.folder, self.tables = folder / "clickhouse", 0

    def __enter__(self):
        self.folder.mkdir(parents=True, exist_ok=True)
        self.session = session.Session()
        return self

    def __exit__(self, *_):
        self.session.close()

    def load(self, table):
        """Copies a table into the database."""
        self.tables += 1
        file = self.folder / f"{self.tables}.parquet"
        pq.write_table(table.content, file)
        columns = ", ".join(
            f"{quoted(field.name)} Nullable({column_type(field.type)})" for field in table.content.schema
        )
        self.session.query(f"create table {quoted(table.name)} ({columns}) engine = Memory")
        names = ", ".join(quoted(name) for name in table.content.column_names)
        self.session.query(f"insert into {quoted(table.name)} select {names} from file('{file}', Parquet)")

    def query(self, sql):
        """Runs a query and returns the column names and the rows."""
        result = pa.ipc.open_file(self.session.query(sql, "Arrow").bytes()).read_all()
        return result.column_names, [tuple(map(decode, row.values())) for row in result.to_pylist()]


def column_type(arrow_type):
    """Returns ClickHouse's type for an Arrow type."""
    names = [
        (pa.types.is_float64, "Float64"),
        (pa.types.is_float32, "Float32"),
        (pa.types.is_decimal, "Decimal(12, 4)"),
        (pa.types.is_int32, "Int32"),
        (pa.types.is_int64, "Int64"),
        (pa.types.is_date, "Date32"),
        (pa.types.is_string, "String"),
    ]
    return next(name for matches, name in names if matches(arrow_type))


def decode(cell):
    """Decodes a text, which ClickHouse returns as bytes."""
    return cell.decode() if isinstance(cell, bytes) else cell
