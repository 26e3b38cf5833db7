"""The recipe for Spark, on a cluster of two workers on this machine, and a check that it gives what one process gives.

    python spark.py

A column of bytes with mixed damage becomes text by `mapInArrow`: Spark hands over Arrow record batches, `runecast.arrow` makes
text of the column, and what is well-formed is not copied. Run by `test.sh --spark`.
"""

import os
import random
import sys

import pyarrow

import runecast.arrow

ROWS = 200_000


def repaired(batches):
    """The function for `mapInArrow`. It runs in the workers, which need the wheel."""
    for batch in batches:
        text = runecast.arrow.repair(batch.column("raw"), "whatwg")
        errors = runecast.arrow.errors(batch.column("raw"))
        # One process for each executor starts those that run this.
        worker = pyarrow.array([os.getppid()] * len(batch), pyarrow.int64())
        yield pyarrow.RecordBatch.from_arrays(
            [batch.column("id"), text, errors.field("kind"), worker],
            names=["id", "text", "kind", "worker"],
        )


def rows():
    """Short texts of several scripts, one in five of them damaged."""
    dice = random.Random(11)
    words = ["plain", "\xe9t\xe9", "r\u016bna", "\u0431\u044b\u043b\u043e", "\u5929\u5730", "\U0001faa8"]
    for number in range(ROWS):
        data = bytearray(" ".join(dice.choices(words, k=dice.randrange(1, 9))).encode())
        if dice.random() < 0.2:
            data[dice.randrange(len(data))] = dice.randrange(256)
        yield number, None if number % 1000 == 0 else bytes(data)


def main():
    from pyspark.sql import SparkSession

    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    spark = (
        SparkSession.builder.master("local-cluster[2,1,1024]")
        .appName("runecast")
        .config("spark.ui.enabled", "false")
        .config("spark.driver.bindAddress", "127.0.0.1")
        .config("spark.driver.host", "127.0.0.1")
        .config("spark.sql.execution.arrow.pyspark.enabled", "true")
        .getOrCreate()
    )
    spark.sparkContext.setLogLevel("ERROR")
    table = list(rows())
    try:
        frame = spark.createDataFrame(table, "id long, raw binary").repartition(8)
        done = frame.mapInArrow(repaired, "id long, text string, kind string, worker long").collect()
    finally:
        spark.stop()

    found = {row.id: (row.text, row.kind) for row in done}
    workers = {row.worker for row in done}
    for number, data in table:
        expected = None if data is None else data.decode("utf-8", "replace")
        wrong = data is not None and runecast.validate(data)
        if found.get(number) != (expected, wrong.kind if wrong else None):
            sys.exit(f"row {number} differs: {data!r} became {found.get(number)!r}")
    if len(found) != ROWS or len(done) != ROWS:
        sys.exit(f"{len(done)} rows of {ROWS}")
    if len(workers) != 2:
        sys.exit(f"{len(workers)} workers took part, not 2")
    broken = sum(kind is not None for _, kind in found.values())
    print(f"Spark, two workers: {ROWS} rows, {broken} of them repaired, all as in one process")


if __name__ == "__main__":
    main()
