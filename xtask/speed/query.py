"""Runs one query in DuckDB on two threads and prints the seconds it took: python query.py SQL"""

import sys
import time

import duckdb

connection = duckdb.connect(config={"threads": 2})
start = time.perf_counter()
connection.execute(sys.argv[1]).fetchnumpy()
print(time.perf_counter() - start)
