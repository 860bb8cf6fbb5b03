"""PostgreSQL: a temporary server on loopback, with its data in our folder."""

import csv
import io
import os
import pwd
import shutil
import socket
import subprocess
import sys
from pathlib import Path

from duck import quoted

NULL = "\\N"
# The types of columns, in the order of `tables.TYPES`.
TYPES = ("double precision", "real", "numeric", "integer", "bigint", "date", "text")
INSTALL = "PostgreSQL's server is not here: apt-get install postgresql (or put the folder with initdb into PATH)"


class Engine:
    """A temporary server with one user and without a password."""

    name, dialect = "postgresql", "ansi"

    def __init__(self, folder):
        self.programs, self.folder = programs_folder(), folder / "postgresql"
        self.data, self.user, self.port = self.folder / "data", server_user(), free_port()

    def __enter__(self):
        shutil.rmtree(self.folder, ignore_errors=True)
        self.folder.mkdir(parents=True)
        if self.user:
            shutil.chown(self.folder, self.user.pw_uid, self.user.pw_gid)
        try:
            access = ["--username", "truecount", "--auth", "trust"]
            self.run("initdb", "--pgdata", self.data, *access, "--encoding", "UTF8", "--locale", "C", "--no-sync")
            options = f"-p {self.port} -c listen_addresses=127.0.0.1 -c unix_socket_directories= -c fsync=off"
            log = self.folder / "log"
            self.run("pg_ctl", "--pgdata", self.data, "--log", log, "--wait", "--options", options, "start")
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_):
        try:
            if (self.data / "postmaster.pid").exists():
                self.run("pg_ctl", "--pgdata", self.data, "--mode", "immediate", "--wait", "stop")
        finally:
            shutil.rmtree(self.folder, ignore_errors=True)

    def load(self, table):
        """Copies a table into the database."""
        file = self.folder / "table.csv"
        table.write_csv(file, NULL)
        columns = ", ".join(f"{quoted(name)} {kind}" for name, kind in table.column_types(TYPES))
        self.psql(f"create table {quoted(table.name)} ({columns});")
        self.psql(
            f"copy {quoted(table.name)} from stdin (format csv, header, null '{NULL}');\n{file.read_text('utf-8')}\\.\n"
        )

    def query(self, sql):
        """Runs a query and returns the column names and the rows, as text."""
        columns, *rows = csv.reader(io.StringIO(self.psql(f"{sql};")))
        return columns, [[None if cell == NULL else cell for cell in row] for row in rows]

    def psql(self, sql):
        """Runs SQL and returns what it prints."""
        options = ["--no-psqlrc", "--quiet", "--csv", "--pset", f"null={NULL}", "--set", "ON_ERROR_STOP=1"]
        address = ["--host", "127.0.0.1", "--port", str(self.port), "--username", "truecount", "--dbname", "postgres"]
        return self.run("psql", *options, *address, stdin=sql)

    def run(self, program, *arguments, stdin=None):
        """Runs one of PostgreSQL's programs and returns its output; the server refuses root."""
        user = {"user": self.user.pw_uid, "group": self.user.pw_gid, "extra_groups": []} if self.user else {}
        process = subprocess.run(
            [self.programs / program, *arguments],
            input=stdin,
            capture_output=True,
            encoding="utf-8",
            cwd=self.folder,
            env=os.environ | {"PGCLIENTENCODING": "UTF8"},
            **user,
        )
        if process.returncode:
            raise RuntimeError(f"{program}: {process.stderr.strip()}")
        return process.stdout


def programs_folder():
    """Folder with PostgreSQL's programs: from PATH, otherwise Debian's newest version."""
    newest = sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda folder: int(folder.parent.name), reverse=True)
    for folder in [*map(Path, os.get_exec_path()), *newest]:
        if all((folder / program).exists() for program in ["initdb", "postgres", "pg_ctl", "psql"]):
            return folder
    sys.exit(INSTALL)


def server_user():
    """The user that runs the server if this process runs as root, otherwise `None`."""
    return pwd.getpwnam("postgres") if os.geteuid() == 0 else None


def free_port():
    """Returns an unused port."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]
