"""Queues on Spark: read as tables and as streams, written to, and what a stop in between leaves."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from pyspark.errors import PySparkException
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.datasource import WriterCommitMessage
from pyspark.sql.types import BinaryType, StringType, StructField, StructType
from tests.support.network import reachable
from tests.support.queries import run_to_end

from kew.codes.errors import NoMessage
from kew.codes.options import MQOO_INPUT_SHARED, MQOO_OUTPUT, MQPER_PERSISTENT
from kew.formats.mqmd import MessageDescriptor
from kew.qmgr import manager
from kew.qmgr.manager import QueueManager


class World:
    """A queue manager with two queues, and how Spark reaches it."""

    def __init__(self, host: QueueManager, data: Path) -> None:
        self.host = host
        self.data = data

    def options(self, queue: str, **more: str) -> dict[str, str]:
        return {"queueManager": "QM1", "queue": queue, "dataDirectory": str(self.data), **more}

    def put(self, queue: str, texts: list[str]) -> None:
        connection = self.host.connect("test")
        handle = connection.open(queue, MQOO_OUTPUT)
        for text in texts:
            connection.put(handle, MessageDescriptor(persistence=MQPER_PERSISTENT), text.encode())
        connection.disconnect()

    def drain(self, queue: str) -> list[str]:
        connection = self.host.connect("test")
        handle = connection.open(queue, MQOO_INPUT_SHARED)
        found: list[str] = []
        try:
            while True:
                found.append(connection.get(handle).data.decode())
        except NoMessage:
            return found
        finally:
            connection.disconnect()

    def depth(self, queue: str) -> int:
        return self.host.host.queues.by_name[queue].depth


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    data = tmp_path / "data"
    manager.create("QM1", data=str(data))
    host = manager.start("QM1", str(data))
    for name in ("IN", "OUT"):
        host.host.administration.define("QLOCAL", name, {})
    try:
        yield World(host, data)
    finally:
        host.stop()


def stream(spark: SparkSession, world: World, **more: str) -> DataFrame:
    return spark.readStream.format("kewmq").options(**world.options("IN", **more)).load()


def run_to_parquet(frame: DataFrame, place: Path) -> None:
    run_to_end(
        frame.selectExpr("position", "cast(data as string) as text")
        .writeStream.format("parquet")
        .option("path", str(place / "table"))
        .option("checkpointLocation", str(place / "checkpoint"))
        .trigger(availableNow=True)
    )


def texts(spark: SparkSession, place: Path) -> list[str]:
    return sorted([row.text for row in spark.read.parquet(str(place / "table")).collect()])


def test_a_queue_is_a_table(spark: SparkSession, world: World) -> None:
    connection = world.host.connect("test")
    handle = connection.open("IN", MQOO_OUTPUT)
    for number in range(5):
        descriptor = MessageDescriptor(priority=number, correlation_id=b"c" * 24, reply_to_queue=b"R".ljust(48))
        connection.put(handle, descriptor, b"%d" % number)
    connection.disconnect()
    rows = (
        spark.read.format("kewmq").options(**world.options("IN", partitions="3")).load().orderBy("position").collect()
    )
    assert [bytes(row.data) for row in rows] == [b"0", b"1", b"2", b"3", b"4"]
    assert [row.priority for row in rows] == [0, 1, 2, 3, 4]
    assert {(bytes(row.correlation_id), row.reply_to_queue, row.put_application_name) for row in rows} == {
        (b"c" * 24, "R", "test")
    }
    assert all(row.put_time is not None for row in rows)
    some = spark.read.format("kewmq").options(**world.options("IN", columns="priority, data")).load()
    assert some.columns == ["priority", "data"]
    assert sorted([(row.priority, bytes(row.data)) for row in some.collect()])[4] == (4, b"4")
    with pytest.raises(PySparkException, match="has no column colour"):
        spark.read.format("kewmq").options(**world.options("IN", columns="colour")).load()
    assert world.depth("IN") == 5


def test_rows_become_messages_in_one_unit_of_work(spark: SparkSession, world: World) -> None:
    frame = spark.sql("select 'hello' as data, map('colour', 'red', 'shop.till', '3') as properties, 7 as priority")
    frame.write.format("kewmq").options(**world.options("OUT")).mode("append").save()
    (row,) = spark.read.format("kewmq").options(**world.options("OUT")).load().collect()
    assert (bytes(row.data), row.properties, row.priority, row.format) == (
        b"hello",
        {"colour": "red", "shop.till": "3"},
        7,
        "MQSTR",
    )


def test_what_cannot_be_is_refused_in_words(spark: SparkSession, world: World) -> None:
    with pytest.raises(PySparkException, match="needs the option queue"):
        spark.read.format("kewmq").option("queueManager", "QM1").load().collect()
    with pytest.raises(PySparkException, match="no option qeue"):
        spark.read.format("kewmq").options(**world.options("IN", qeue="X")).load().collect()
    with pytest.raises(PySparkException, match="puts no column colour"):
        spark.sql("select 'x' as data, 1 as colour").write.format("kewmq").options(**world.options("OUT")).mode(
            "append"
        ).save()
    with pytest.raises(PySparkException, match="2085"):
        spark.read.format("kewmq").options(**world.options("NOT.THERE")).load().collect()


def test_a_stream_goes_on_where_it_was_and_reads_each_message_once(
    spark: SparkSession, world: World, tmp_path: Path
) -> None:
    first = [f"a{number:03d}" for number in range(25)]
    world.put("IN", first)
    run_to_parquet(stream(spark, world, maxMessagesPerBatch="10"), tmp_path)
    assert texts(spark, tmp_path) == first
    assert 0 < world.depth("IN") <= 10  # the last batch goes when the next is formed
    second = [f"b{number:03d}" for number in range(7)]
    world.put("IN", second)
    run_to_parquet(stream(spark, world, maxMessagesPerBatch="10"), tmp_path)
    assert texts(spark, tmp_path) == first + second
    assert world.depth("IN") <= 7


def test_a_batch_that_is_tried_again_is_put_once(spark: SparkSession, world: World, tmp_path: Path) -> None:
    from kew.analytics.queue.settings import Settings
    from kew.analytics.queue.sink import StreamSink, collect

    schema = StructType([StructField("data", StringType()), StructField("message_id", BinaryType())])
    batches = spark.createDataFrame([("one", None), ("two", None)], schema).toArrow().to_batches()
    sink = StreamSink(Settings(world.options("OUT", id="query")))
    rows: list[WriterCommitMessage | None] = [collect(iter(batches)), None]
    sink.commit(rows, 0)
    sink.commit(rows, 0)
    assert world.drain("OUT") == ["one", "two"]
    sink.commit(rows, 1)
    assert world.drain("OUT") == ["one", "two"]
    with pytest.raises(ValueError, match="needs another id"):
        sink.commit(rows, 0)


def test_from_queue_to_queue(spark: SparkSession, world: World, tmp_path: Path) -> None:
    sent = [f"m{number:03d}" for number in range(30)]
    world.put("IN", sent)
    for _ in range(2):  # the second run finds nothing new
        run_to_end(
            stream(spark, world, maxMessagesPerBatch="8")
            .selectExpr("upper(cast(data as string)) as data", "message_id as correlation_id")
            .writeStream.format("kewmq")
            .options(**world.options("OUT"))
            .option("checkpointLocation", str(tmp_path / "checkpoint"))
            .trigger(availableNow=True)
        )
    assert sorted(world.drain("OUT")) == [text.upper() for text in sent]


def test_a_queue_manager_elsewhere_is_reached_by_its_channel(spark: SparkSession, tmp_path: Path) -> None:
    with reachable(tmp_path / "data") as site:
        there = {"queueManager": "QM1", "connection": site.address, "channel": "DEV.APP.SVRCONN", "user": "app"}
        known = {**there, "password": "password"}
        frame = spark.sql("select cast(id as string) as data from range(20)")
        frame.write.format("kewmq").options(**known, queue="DEV.QUEUE.1").mode("append").save()
        run_to_end(
            spark.readStream.format("kewmq")
            .options(**known, queue="DEV.QUEUE.1", maxMessagesPerBatch="8")
            .load()
            .selectExpr("cast(data as string) as data")
            .writeStream.format("kewmq")
            .options(**known, queue="DEV.QUEUE.2")
            .option("checkpointLocation", str(tmp_path / "checkpoint"))
            .trigger(availableNow=True)
        )
        rows = spark.read.format("kewmq").options(**known, queue="DEV.QUEUE.2").load().collect()
        assert sorted([int(row.data) for row in rows]) == list(range(20))
        with pytest.raises(PySparkException, match="2035"):
            spark.read.format("kewmq").options(**there, password="wrong", queue="DEV.QUEUE.1").load().collect()
