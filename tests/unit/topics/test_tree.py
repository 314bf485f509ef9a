"""What holds at a topic: each attribute from the nearest topic object that says something."""

import pytest
from tests.support.hosting import create, small
from tests.support.simdisk import SimDisk

from kew.codes import attributes as a
from kew.codes.errors import MQError
from kew.codes.reasons import MQRC_UNKNOWN_OBJECT_NAME
from kew.objects.definition import Definition
from kew.qmgr.assemble import Host
from kew.topics.tree import TopicTree


@pytest.fixture
def host() -> Host:
    return create(SimDisk(), small())


def define(host: Host, name: str, topic: str, **spelled: str) -> None:
    host.objects.place(Definition.of("TOPIC", name, {"TOPICSTR": topic, **spelled}), replace=True)


def test_without_objects_the_root_is_that_of_a_new_queue_manager(host: Host) -> None:
    settings = TopicTree(host.catalogue).settings("any/thing")
    assert settings.publishing
    assert settings.subscribing
    assert settings.durable
    assert settings.objects == ("SYSTEM.BASE.TOPIC",)
    assert settings.values["MNDURMDL"] == "SYSTEM.NDURABLE.MODEL.QUEUE"
    assert (settings.persistent_delivery, settings.passing_delivery) == (a.MQDLV_ALL_DUR, a.MQDLV_ALL_AVAIL)


def test_each_attribute_is_that_of_the_nearest_object_that_says_something(host: Host) -> None:
    tree = TopicTree(host.catalogue)
    define(host, "SYSTEM.BASE.TOPIC", "", DEFPRTY="1", PUB="ENABLED", SUB="ENABLED")
    define(host, "A", "a", DEFPRTY="2", PUB="DISABLED")
    define(host, "ABC", "a/b/c", DEFPRTY="3")
    assert [tree.settings(topic).priority for topic in ("x", "a", "a/b", "a/b/c", "a/b/c/d", "a/x/c")] == [
        1,
        2,
        2,
        3,
        3,
        2,
    ]
    assert not tree.settings("a/b/c/d").publishing
    assert tree.settings("x").publishing
    assert tree.settings("a/b/c/d").objects == ("ABC", "A", "SYSTEM.BASE.TOPIC")
    define(host, "A", "a", DEFPRTY="2", PUB="ENABLED")
    assert tree.settings("a/b/c/d").publishing


def test_a_slash_at_the_end_of_an_objects_string_makes_no_level(host: Host) -> None:
    tree = TopicTree(host.catalogue)
    define(host, "DEV.BASE.TOPIC", "dev/", DEFPRTY="7")
    assert tree.settings("dev/news").priority == 7
    assert tree.full_string("DEV.BASE.TOPIC", "news") == "dev/news"
    assert tree.settings("dev").objects == ("DEV.BASE.TOPIC", "SYSTEM.BASE.TOPIC")


def test_names_and_strings_together(host: Host) -> None:
    tree = TopicTree(host.catalogue)
    define(host, "T", "Football")
    assert tree.full_string("T", "") == "Football"
    assert tree.full_string("", "Football/Scores") == "Football/Scores"
    assert tree.full_string("T", "Scores") == "Football/Scores"
    assert tree.full_string("T", "/Scores") == "Football//Scores"
    with pytest.raises(MQError) as unknown:
        tree.full_string("NONE", "x")
    assert unknown.value.reason == MQRC_UNKNOWN_OBJECT_NAME


def test_the_deepest_object_that_blocks_counts(host: Host) -> None:
    tree = TopicTree(host.catalogue)
    define(host, "A", "a", WILDCARD="BLOCK")
    define(host, "AB", "a/b")
    define(host, "ABC", "a/b/c", WILDCARD="BLOCK")
    assert [tree.settings(topic).blocked for topic in ("x", "a", "a/b/x", "a/b/c/d")] == [0, 1, 1, 3]
