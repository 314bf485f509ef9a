"""Groups, segments and descriptors of version 1, as programs of both packages use them, by every way."""

from typing import Any

import pytest
from tests.support.programs import Site

from kew.formats import mqmde


def descriptor(site: Site, flags: int = 0, **fields: Any) -> Any:
    return site.face.MD(Version=2, MsgFlags=flags, **fields)


def options(site: Site, *names: str) -> Any:
    cmqc = site.face.CMQC
    gmo = site.face.GMO(Version=4, MatchOptions=0)
    gmo.Options = sum(getattr(cmqc, "MQGMO_" + name) for name in names)
    return gmo


def test_a_group_in_logical_order(site: Site) -> None:
    face, cmqc = site.face, site.face.CMQC
    queue, other = site.queue(), site.queue()
    pmo = face.PMO(Options=cmqc.MQPMO_LOGICAL_ORDER)
    one, two = descriptor(site, cmqc.MQMF_MSG_IN_GROUP), descriptor(site, cmqc.MQMF_LAST_MSG_IN_GROUP)
    queue.put(b"one", one, pmo)
    other.put(b"between")
    with pytest.raises(face.MQMIError) as refused:
        queue.put(b"alone", descriptor(site), pmo)
    assert refused.value.reason == cmqc.MQRC_INCOMPLETE_GROUP
    queue.put(b"two", two, pmo)
    assert (one.GroupId, one.MsgSeqNumber, two.MsgSeqNumber) == (two.GroupId, 1, 2)
    seen = []
    for _ in range(3):
        md, gmo = descriptor(site), options(site, "LOGICAL_ORDER", "ALL_MSGS_AVAILABLE", "NO_SYNCPOINT")
        seen.append((queue.get(None, md, gmo), md.MsgSeqNumber, gmo.GroupStatus, gmo.SegmentStatus))
    group, last, alone = cmqc.MQGS_MSG_IN_GROUP, cmqc.MQGS_LAST_MSG_IN_GROUP, cmqc.MQGS_NOT_IN_GROUP
    single = cmqc.MQSS_NOT_A_SEGMENT
    assert seen == [(b"one", 1, group, single), (b"two", 2, last, single), (b"between", 1, alone, single)]


def test_segments_and_the_whole(site: Site) -> None:
    face, cmqc = site.face, site.face.CMQC
    site.place.mqsc("ALTER QLOCAL(DEV.QUEUE.2) MAXMSGL(5000)")
    try:
        queue = site.queue("DEV.QUEUE.2")
        data = bytes(range(256)) * 60
        with pytest.raises(face.MQMIError) as refused:
            queue.put(data)
        assert refused.value.reason == cmqc.MQRC_MSG_TOO_BIG_FOR_Q
        queue.put(data, descriptor(site, cmqc.MQMF_SEGMENTATION_ALLOWED))
        assert queue.inquire(cmqc.MQIA_CURRENT_Q_DEPTH) == 4
        gmo = options(site, "COMPLETE_MSG", "NO_SYNCPOINT")
        md = descriptor(site)
        assert queue.get(None, md, gmo) == data
        assert (md.Offset, gmo.SegmentStatus, gmo.Segmentation) == (0, cmqc.MQSS_NOT_A_SEGMENT, cmqc.MQSEG_ALLOWED)
        assert queue.inquire(cmqc.MQIA_CURRENT_Q_DEPTH) == 0
        queue.close()
    finally:
        site.place.mqsc("ALTER QLOCAL(DEV.QUEUE.2) MAXMSGL(4194304)")


def test_matching_by_sequence_number(site: Site) -> None:
    cmqc = site.face.CMQC
    queue = site.queue()
    for number in (1, 2, 3):
        md = descriptor(site, cmqc.MQMF_MSG_IN_GROUP, GroupId=b"g" * 24, MsgSeqNumber=number)
        queue.put(b"%d" % number, md)
    gmo = options(site, "NO_SYNCPOINT")
    gmo.MatchOptions = cmqc.MQMO_MATCH_GROUP_ID | cmqc.MQMO_MATCH_MSG_SEQ_NUMBER
    assert queue.get(None, descriptor(site, GroupId=b"g" * 24, MsgSeqNumber=2), gmo) == b"2"
    gmo.MatchOptions = cmqc.MQMO_MATCH_MSG_SEQ_NUMBER
    assert queue.get(None, descriptor(site, MsgSeqNumber=3), gmo) == b"3"


def test_leaving_a_group_is_a_warning(site: Site) -> None:
    face, cmqc = site.face, site.face.CMQC
    queue = site.queue()
    pmo = face.PMO(Options=cmqc.MQPMO_LOGICAL_ORDER)
    queue.put(b"one", descriptor(site, cmqc.MQMF_MSG_IN_GROUP), pmo)
    md = descriptor(site)
    with pytest.raises(face.MQMIError) as warned:
        queue.put(b"alone", md)
    assert (warned.value.comp, warned.value.reason) == (cmqc.MQCC_WARNING, cmqc.MQRC_INCOMPLETE_GROUP)
    assert md.MsgId.startswith(b"AMQ ")
    queue.put(b"one", descriptor(site, cmqc.MQMF_MSG_IN_GROUP), pmo)
    with pytest.raises(face.MQMIError) as warned:
        queue.close()
    assert (warned.value.comp, warned.value.reason) == (cmqc.MQCC_WARNING, cmqc.MQRC_INCOMPLETE_GROUP)


def test_a_descriptor_of_version_1_has_its_group_in_the_data(site: Site) -> None:
    face, cmqc = site.face, site.face.CMQC
    queue = site.queue()
    said = mqmde.DescriptorExtension(
        546, 1208, b"MQSTR   ", 0, b"g" * 24, 7, 0, cmqc.MQMF_MSG_IN_GROUP | cmqc.MQMF_LAST_MSG_IN_GROUP, -1
    )
    queue.put(mqmde.encode(said) + b"data", face.MD(Version=1, Format=cmqc.MQFMT_MD_EXTENSION))
    md, gmo = descriptor(site), options(site, "BROWSE_FIRST")
    browsing = site.queue("DEV.QUEUE.1", cmqc.MQOO_BROWSE)
    assert browsing.get(None, md, gmo) == b"data"
    assert (md.GroupId, md.MsgSeqNumber, md.Format, md.CodedCharSetId) == (b"g" * 24, 7, b"MQSTR   ", 1208)
    old = face.MD(Version=1)
    data = queue.get(None, old, options(site, "NO_SYNCPOINT"))
    assert old.Format == cmqc.MQFMT_MD_EXTENSION
    assert data[mqmde.LENGTH :] == b"data"
    assert mqmde.decode(data) == said
    queue.put(b"plain", face.MD(Version=1))
    assert queue.get(None, face.MD(Version=1), options(site, "NO_SYNCPOINT")) == b"plain"
    with pytest.raises(face.MQMIError) as refused:
        queue.put(b"no extension", face.MD(Version=1, Format=cmqc.MQFMT_MD_EXTENSION))
    assert refused.value.reason == cmqc.MQRC_MDE_ERROR
