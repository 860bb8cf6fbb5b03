"""SQLite, in this process, by apsw: its SQLite has sqrt, ln and exp, which Python's may lack."""

import datetime

import apsw
import pyarrow as pa

import duck
from duck import quoted


class Engine(duck.Engine):
    """A database in memory."""

    name, dialect = "sqlite", "ansi"

    def __init__(self, _folder):
        self.connection = apsw.Connection(":memory:")

    def load(self, table):
        """Copies a table into the database; dates become text."""
        columns = [f"{quoted(field.name)} {column_type(field.type)}" for field in table.content.schema]
        self.connection.execute(f"create table {quoted(table.name)} ({', '.join(columns)})")
        rows = ([to_sqlite(cell) for cell in row.values()] for row in table.content.to_pylist())
        self.connection.executemany(f"insert into {quoted(table.name)} values ({', '.join('?' * len(columns))})", rows)

    def query(self, sql):
        """Runs a query and returns the column names and the rows."""
        cursor, columns, rows = self.connection.execute(sql), [], []
        for row in cursor:
            # apsw has no description after the last row.
            columns = columns or [column[0] for column in cursor.description]
            rows.append(row)
        return columns, rows


def column_type(arrow_type):
    """Returns SQLite's nearest type for an Arrow type."""
    if pa.types.is_integer(arrow_type):
        return "integer"
    return "real" if pa.types.is_floating(arrow_type) or pa.types.is_decimal(arrow_type) else "text"


def to_sqlite(cell):
    """Returns a cell as a type that SQLite stores: a date as text, a decimal number as a double."""
    if cell is None or isinstance(cell, (int, float, str)):
        return cell
    return cell.isoformat() if isinstance(cell, datetime.date) else float(cell)
