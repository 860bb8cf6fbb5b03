"""Spark in local mode, with Java 17."""

import os

from pyspark.sql import SparkSession

# Without an appender, Spark uses its default settings. Without a level for the shell's logger, it
# prints three lines about that.
QUIET = """
appender.errors.type = Console
appender.errors.name = errors
appender.errors.target = SYSTEM_ERR
rootLogger.level = error
rootLogger.appenderRef.errors.ref = errors
logger.shell.name = org.apache.spark.api.python.PythonGatewayServer
logger.shell.level = error
"""


class Engine:
    """A session with two threads."""

    name, dialect = "spark", "spark"

    def __init__(self, folder):
        self.folder = folder / "spark"

    def __enter__(self):
        self.folder.mkdir(parents=True, exist_ok=True)
        (self.folder / "log4j2.properties").write_text(QUIET)
        os.environ |= {"SPARK_CONF_DIR": str(self.folder), "SPARK_LOCAL_IP": "127.0.0.1"}
        settings = {
            "spark.sql.shuffle.partitions": "2",
            "spark.sql.warehouse.dir": str(self.folder / "warehouse"),
            "spark.ui.enabled": "false",
            "spark.ui.showConsoleProgress": "false",
        }
        builder = SparkSession.builder.master("local[2]").appName("truecount")
        for name, value in settings.items():
            builder = builder.config(name, value)
        self.session = builder.getOrCreate()
        return self

    def __exit__(self, *_):
        self.session.stop()

    def load(self, table):
        """Writes a table to a file and registers it as a view."""
        file = table.write_parquet(self.folder)
        self.session.read.parquet(str(file)).createOrReplaceTempView(quoted(table.name))

    def query(self, sql):
        """Runs a query and returns the column names and the rows."""
        result = self.session.sql(sql)
        return result.columns, [tuple(row) for row in result.collect()]


def quoted(name):
    """Quotes an identifier as in Spark's SQL."""
    return "`" + name.replace("`", "``") + "`"
