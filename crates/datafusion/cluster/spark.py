"""The query of `groups.sql` on Apache Spark, by `mapInArrow`, while an executor is killed: the same bytes.

    python spark.py DATA EXPECTED

DATA is the directory of Parquet files that `runecast-cluster generate` has written, EXPECTED what `runecast-cluster query` made of
them in a single process. A cluster of two executors on this machine (`local-cluster`) computes it: runecast's wheel does in Python
workers what the functions do in SQL, and Spark groups. When the first task has run, an executor is killed (SIGKILL). Exit status 0
if the lines are the same, 1 if not, 3 if the query had ended before the kill.
"""

import os
import pathlib
import signal
import sys
import tempfile
import threading
import time

import pyarrow
import pyarrow.compute

import runecast.arrow


def described(begun):
    """The function for `mapInArrow`, which runs in the workers: of each row what the query wants to know. The file `begun` appears
    when a task has begun."""

    def describe(batches):
        for batch in batches:
            line = batch.column("line")
            errors = runecast.arrow.errors(line)
            pathlib.Path(begun).touch()
            yield pyarrow.RecordBatch.from_arrays(
                [
                    runecast.arrow.repair(line, "whatwg"),
                    batch.column("id"),
                    errors.is_valid(),
                    errors.field("offset").cast(pyarrow.int64()),
                    pyarrow.compute.utf8_length(runecast.arrow.repair(line, "perl5")).cast(pyarrow.int64()),
                ],
                names=["text", "id", "damaged", "first_error", "characters"],
            )

    return describe


def executors():
    """The processes of Spark's executors that this one has started, by way of others."""
    found = []
    for entry in os.listdir("/proc"):
        try:
            command = pathlib.Path("/proc", entry, "cmdline").read_bytes()
        except OSError:
            continue
        if b"CoarseGrainedExecutorBackend" in command and f"--driver-of-{os.getpid()}".encode() in command:
            found.append(int(entry))
    return found


def kill_one(begun, done, killed):
    while not done.is_set():
        if os.path.exists(begun):
            victims = executors()
            if victims and not done.is_set():
                os.kill(victims[0], signal.SIGKILL)
                killed.append(victims[0])
                return
        time.sleep(0.02)


def main(data, expected):
    from pyspark.sql import SparkSession, functions

    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    directory = tempfile.TemporaryDirectory()
    begun = os.path.join(directory.name, "begun")
    spark = (
        SparkSession.builder.master("local-cluster[2,1,1024]")
        .appName("runecast")
        .config("spark.ui.enabled", "false")
        .config("spark.driver.bindAddress", "127.0.0.1")
        .config("spark.driver.host", "127.0.0.1")
        .config("spark.sql.shuffle.partitions", "16")
        # A mark by which the executors of this program are found.
        .config("spark.executor.extraJavaOptions", f"-Drunecast=--driver-of-{os.getpid()}")
        .getOrCreate()
    )
    spark.sparkContext.setLogLevel("OFF")
    done, killed = threading.Event(), []
    killer = threading.Thread(target=kill_one, args=(begun, done, killed))
    killer.start()
    try:
        rows = (
            spark.read.parquet(data)
            .select("line", "id")
            .mapInArrow(described(begun), "text string, id long, damaged boolean, first_error long, characters long")
            .groupBy("text")
            .agg(
                functions.count("*"),
                functions.sum("id"),
                functions.sum(functions.col("damaged").cast("long")),
                functions.min("first_error"),
                functions.sum("characters"),
            )
            .collect()
        )
    finally:
        done.set()
        killer.join()
        spark.stop()
        directory.cleanup()

    lines = sorted("\t".join("NULL" if field is None else str(field) for field in row).encode() for row in rows)
    if b"".join(line + b"\n" for line in lines) != pathlib.Path(expected).read_bytes():
        print("Spark: the result is another", file=sys.stderr)
        return 1
    if not killed:
        print("Spark: the query was done before an executor could be killed", file=sys.stderr)
        return 3
    print(f"Spark, two executors, one of them killed: the same {len(lines)} lines")
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:3]))
