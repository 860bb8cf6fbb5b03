"""SQLite, in this process: apsw brings one that has sqrt, ln and exp, which Python's own may lack."""

import datetime

import apsw
import pyarrow as pa

from duck import quoted


class Engine:
    """A database in memory."""

    name, dialect = "sqlite", "ansi"

    def __init__(self, _folder):
        self.connection = apsw.Connection(":memory:")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.connection.close()

    def load(self, table):
        """Copies a table into the database; dates become text."""
        columns = [f"{quoted(field.name)} {type_of(field.type)}" for field in table.content.schema]
        self.connection.execute(f"create table {quoted(table.name)} ({', '.join(columns)})")
        rows = ([value_of(cell) for cell in row.values()] for row in table.content.to_pylist())
        self.connection.executemany(f"insert into {quoted(table.name)} values ({', '.join('?' * len(columns))})", rows)

    def query(self, sql):
        """The names of the columns, and the rows."""
        found, columns, rows = self.connection.execute(sql), [], []
        for row in found:
            # apsw tells the names only as long as there are rows.
            columns = columns or [column[0] for column in found.description]
            rows.append(row)
        return columns, rows


def type_of(kind):
    """SQLite's nearest type."""
    if pa.types.is_integer(kind):
        return "integer"
    return "real" if pa.types.is_floating(kind) or pa.types.is_decimal(kind) else "text"


def value_of(cell):
    """What SQLite stores."""
    return cell if cell is None or isinstance(cell, (int, float, str)) else as_plain(cell)


def as_plain(cell):
    """A date as text, a decimal number as a double."""
    return cell.isoformat() if isinstance(cell, datetime.date) else float(cell)
