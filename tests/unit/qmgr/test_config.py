"""qm.ini: the report's stanzas load verbatim, bad files are refused with file, line, key, value and what is allowed."""

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.support.simdisk import SimDisk

from kew.codes.messages import format_message
from kew.qmgr import config
from kew.qmgr.config import (
    DEFAULT_BUFFER_POOLS,
    DEFAULT_PAGE_SETS,
    BufferPoolConfiguration,
    ChannelsConfiguration,
    Configuration,
    ErrorLogConfiguration,
    LogConfiguration,
    PageSetConfiguration,
    TCPConfiguration,
    TuningConfiguration,
    configuration_keys,
    format_configuration,
    load_configuration,
    parse_configuration,
)
from kew.qmgr.ini import MAX_BYTES, ConfigurationError, parse_stanzas
from kew.qmgr.keys import Choice, Number, keys_of
from kew.storage.fileheader import FileRefused

AIX_REPORT = b"""\
Channels:

MQIBindType=FASTPATH
MaxActiveChannels=5000
MaxChannels=5000

Log:

LogBufferPages=4096
LogFilePages=32767
LogPrimaryFiles=64
LogSecondaryFiles=2
LogType=CIRCULAR
LogWriteIntegrity=TripleWrite

TuningParameters:

DefaultPQBufferSize=10485760
DefaultQBufferSize=10485760
"""

MADE_BY_MQ = b"""\
#*******************************************************************#
#* Module Name: qm.ini                                             *#
#*******************************************************************#
ExitPath:
   ExitsDefaultPath=/var/mqm/exits
   ExitsDefaultPath64=/var/mqm/exits64
Log:
   LogPrimaryFiles=3
   LogSecondaryFiles=2
   LogFilePages=4096
   LogType=CIRCULAR
   LogBufferPages=0
   LogPath=/var/mqm/log/QM1/
   LogWriteIntegrity=TripleWrite
Service:
   Name=AuthorizationService
   EntryPoints=14
   SecurityPolicy=user
ServiceComponent:
   Service=AuthorizationService
   Name=MQSeries.UNIX.auth.service
   Module=amqzfu
   ComponentDataSize=0
"""


def parse(text: str) -> Configuration:
    return parse_configuration("qm.ini", text.encode())


def refusal(text: str) -> ConfigurationError:
    with pytest.raises(ConfigurationError) as caught:
        parse(text)
    return caught.value


def test_stanzas_of_the_aix_report_load_verbatim() -> None:
    configuration = parse_configuration("qm.ini", AIX_REPORT)
    assert configuration.channels == ChannelsConfiguration("FASTPATH", 5000, 5000)
    assert configuration.log == LogConfiguration(64, 2, 32767, "circular", 4096, write_integrity="TripleWrite")
    assert configuration.tuning == TuningConfiguration(10485760, 10485760)
    remarks = {remark.key: remark.why for remark in configuration.remarks}
    assert set(remarks) == {"MQIBindType", "DefaultPQBufferSize", "DefaultQBufferSize"}
    assert "buffer pools" in remarks["DefaultQBufferSize"]
    larger = parse_configuration("qm.ini", AIX_REPORT.replace(b"10485760", b"104857600"))
    assert larger.tuning == TuningConfiguration(104857600, 104857600)


def test_a_file_made_by_mq_loads_and_says_what_means_nothing_here() -> None:
    configuration = parse_configuration("qm.ini", MADE_BY_MQ)
    assert configuration.log.path == "/var/mqm/log/QM1/"
    assert configuration.log.buffer_pages == 512
    assert [(remark.line, remark.key) for remark in configuration.remarks] == [
        (5, "ExitsDefaultPath"),
        (6, "ExitsDefaultPath64"),
        (16, "Name"),
        (17, "EntryPoints"),
        (18, "SecurityPolicy"),
        (20, "Service"),
        (21, "Name"),
        (22, "Module"),
        (23, "ComponentDataSize"),
    ]


def test_an_empty_file_gives_the_defaults() -> None:
    configuration = parse("")
    assert configuration == Configuration()
    assert configuration.log == LogConfiguration()
    assert configuration.log.settings().file_pages == 4096
    assert configuration.tuning.expiry_interval == 0
    assert (configuration.tuning.queue_buffer, configuration.tuning.persistent_queue_buffer) == (131072, 262144)
    assert configuration.error_log.size == 2 << 20
    assert configuration.page_sets == DEFAULT_PAGE_SETS
    assert configuration.buffer_pools == DEFAULT_BUFFER_POOLS


def test_log_settings_and_places() -> None:
    text = "Log:\n LogType=linear\n LogCopies=2\n LogPath=/fast\n LogPath2=/other\n LogArchive=no\n LogBufferPages=18\n"
    log = parse(text).log
    settings = log.settings()
    assert (settings.log_type, settings.dual, settings.archive, settings.buffer_pages) == ("linear", True, False, 18)
    directories = log.directories("/data/log")
    assert (directories.copy1, directories.copy2) == ("/fast/copy1", "/other")
    assert directories.archive == "/fast/archive"
    assert LogConfiguration().directories("/data/log").copy1 == "/data/log/copy1"


@pytest.mark.parametrize(
    ("key", "low", "high"),
    [("LogPrimaryFiles", 2, 310), ("LogFilePages", 64, 65535), ("LogBufferPages", 18, 4096)],
)
def test_boundaries_of_the_log(key: str, low: int, high: int) -> None:
    for value in (low, high):
        parse(f"Log:\n{key}={value}\n").log.settings()
    for value in (low - 1, high + 1):
        error = refusal(f"Log:\n{key}={value}\n")
        assert (error.line, error.key, error.value) == (2, key, str(value))
        assert f"from {low} to {high}" in error.allowed


def test_primary_and_secondary_files_together() -> None:
    parse("Log:\nLogPrimaryFiles=310\nLogSecondaryFiles=201\n").log.settings()
    error = refusal("Log:\nLogPrimaryFiles=310\nLogSecondaryFiles=202\n")
    assert (error.line, error.key, error.value) == (3, "LogSecondaryFiles", "202")
    assert "at most 511 together with LogPrimaryFiles, which is 310" in error.allowed
    assert refusal("Log:\nLogSecondaryFiles=509\n").line == 2


def test_active_channels_never_exceed_channels() -> None:
    assert ChannelsConfiguration().active_limit == 100
    assert ChannelsConfiguration(max_channels=500, max_active_channels=20).active_limit == 20


@pytest.mark.parametrize(
    ("text", "line", "key", "value", "allowed"),
    [
        ("Logg:\n", 1, "the stanza", "Logg", "did you mean Log? known are Log, Channels, TCP"),
        ("Log:\nLogPrimryFiles=3\n", 2, "Log key", "LogPrimryFiles", "did you mean LogPrimaryFiles? known are"),
        ("Log:\nMaxChannels=3\n", 2, "Log key", "MaxChannels", "known are LogPrimaryFiles"),
        ("Log:\nLogType=SPIRAL\n", 2, "LogType", "SPIRAL", "one of CIRCULAR, LINEAR"),
        ("Log:\nLogFilePages=4k\n", 2, "LogFilePages", "4k", "a whole number from 64 to 65535"),
        ("Log:\nLogFilePages=-64\n", 2, "LogFilePages", "-64", "a whole number"),
        ("Log:\nLogFilePages=\n", 2, "LogFilePages", "", "a whole number"),
        ("Log:\nLogFilePages=64\nLogFilePages=65\n", 3, "LogFilePages", "65", "only once in its stanza"),
        ("Log:\nTCP:\nLog:\n", 3, "the stanza", "Log", "only once in the file"),
        ("LogFilePages=64\n", 1, "LogFilePages", "64", "first a stanza"),
        ("# fine\n\nLog\n", 3, "the line", "Log", "a stanza 'Name:', 'Key=Value'"),
        ("TCP:\nKeepAlive=maybe\n", 2, "KeepAlive", "maybe", "one of YES, NO"),
        ("Channels:\nMQIBindType=TRUSTED\n", 2, "MQIBindType", "TRUSTED", "one of STANDARD, FASTPATH"),
        ("QMErrorLog:\nExcludeMessage=9001,lots\n", 2, "ExcludeMessage", "9001,lots", "message numbers"),
        ("QMErrorLog:\nErrorLogSize=1\n", 2, "ErrorLogSize", "1", "from 32768 to 2147483648"),
        ("TuningParameters:\nExpiryInterval=-1\n", 2, "ExpiryInterval", "-1", "from 0 to 99999999"),
        ("PageSet:\nPages=100\n", 1, "PageSet Id", "", "a number"),
        ("PageSet:\nId=100\n", 2, "Id", "100", "from 0 to 99"),
        ("PageSet:\nId=4\nPageSet:\nId=4\n", 3, "PageSet Id", "4", "given once; it stands at line 1"),
        ("PageSet:\nId=4\nBufferPool=7\n", 1, "BufferPool", "7", "the Id of a buffer pool: 0, 1"),
        ("BufferPool:\nId=3\nBuffers=99\n", 3, "Buffers", "99", "from 100 to"),
    ],
)
def test_refusals(text: str, line: int, key: str, value: str, allowed: str) -> None:
    error = refusal(text)
    assert (error.file, error.line, error.key, error.value) == ("qm.ini", line, key, value)
    assert allowed in error.allowed
    assert str(error).startswith(f"qm.ini, line {line}: '{key}' cannot be '{value}': ")


def test_refusal_as_operator_message() -> None:
    arith, comments = refusal("Log:\nLogType=SPIRAL\n").inserts()
    message = format_message("AMQ9224E", arith, comments)
    assert message.text == (
        "Configuration file qm.ini, line 2: 'LogType' cannot be 'SPIRAL'; allowed is: one of CIRCULAR, LINEAR."
    )
    assert "line 2 of qm.ini" in message.action


def test_page_sets_and_pools_add_to_the_defaults() -> None:
    text = "BufferPool:\nId=2\nBuffers=50000\nPageSet:\nId=1\nPages=20157\nExpand=none\nBufferPool=2\nPath=/p/1\n"
    configuration = parse(text)
    assert configuration.buffer_pools == (*DEFAULT_BUFFER_POOLS, BufferPoolConfiguration(2, 50000))
    assert configuration.page_sets == (
        DEFAULT_PAGE_SETS[0],
        PageSetConfiguration(1, 20157, "NONE", buffer_pool=2, path="/p/1"),
    )


def test_message_numbers_in_every_spelling() -> None:
    text = "QMErrorLog:\nExcludeMessage=9001, CSQP020,amq6729w\nSuppressMessage=\n"
    assert parse(text).error_log.excluded == ("AMQ9001", "CSQP020", "AMQ6729")
    assert parse(text).error_log.suppressed == ()


def test_names_and_words_in_any_case_and_spacing() -> None:
    configuration = parse("\ufefflog:\r\n  logtype = Linear\r\n; comment\r\nLOGPRIMARYFILES=4\r\n")
    assert (configuration.log.log_type, configuration.log.primary_files) == ("linear", 4)


STANZAS: dict[str, type[Any]] = {
    "log": LogConfiguration,
    "channels": ChannelsConfiguration,
    "tcp": TCPConfiguration,
    "tuning": TuningConfiguration,
    "error_log": ErrorLogConfiguration,
}


@st.composite
def stanza(draw: st.DrawFn, kind: type[Any]) -> Any:
    values: dict[str, object] = {}
    for key, declared in keys_of(kind):
        if key.idle:
            continue
        if isinstance(key.kind, Number):
            values[declared.name] = draw(st.integers(key.kind.low, key.kind.high))
        elif isinstance(key.kind, Choice):
            values[declared.name] = draw(st.sampled_from(list(key.kind.words.values())))
        elif isinstance(declared.default, tuple):
            values[declared.name] = tuple(draw(st.lists(st.sampled_from(["AMQ9001", "CSQP020"]), max_size=3)))
        else:
            values[declared.name] = draw(st.from_regex(r"(/[a-z #=:;]*[a-z])?", fullmatch=True))
    return kind(**values)


@given(st.fixed_dictionaries({name: stanza(kind) for name, kind in STANZAS.items()}), st.data())
def test_written_configuration_reads_back_the_same(values: dict[str, Any], data: st.DataObject) -> None:
    if values["log"].primary_files + values["log"].secondary_files > 511:
        values["log"] = replace(values["log"], secondary_files=1)
    pool = data.draw(stanza(BufferPoolConfiguration))
    page_set = replace(data.draw(stanza(PageSetConfiguration)), buffer_pool=pool.id)
    pools = {known.id: known for known in (*DEFAULT_BUFFER_POOLS, pool)}
    page_sets = {known.id: known for known in (*DEFAULT_PAGE_SETS, page_set)}
    configuration = Configuration(
        buffer_pools=tuple(pools[number] for number in sorted(pools)),
        page_sets=tuple(page_sets[number] for number in sorted(page_sets)),
        **values,
    )
    assert parse(format_configuration(configuration)) == configuration


@given(st.text(st.sampled_from("LogTCPPageSet:=\n#; 0129xÄ\0")), st.binary(max_size=50))
def test_no_text_crashes_the_reader(text: str, noise: bytes) -> None:
    for data in (text.encode(), noise, b"Log:\n" + noise, b"Log:\nLogFilePages=" + noise):
        try:
            parse_configuration("qm.ini", data)
        except ConfigurationError as error:
            assert error.allowed


def test_text_that_is_not_utf_8_and_huge_files_are_refused() -> None:
    with pytest.raises(ConfigurationError, match="line 2: 'the text' cannot be 'byte 255': UTF-8 text"):
        parse_stanzas("qm.ini", b"Log:\n\xff\n")
    with pytest.raises(ConfigurationError, match="at most 1048576 bytes"):
        parse_stanzas("qm.ini", bytes(MAX_BYTES + 1))


def test_load_reads_through_the_disk() -> None:
    disk = SimDisk()
    disk.make_directory("/qm")
    file = disk.open("/qm/qm.ini", create=True)
    file.pwrite(b"# Kew qm.ini 2 of queue manager QM1\n" + AIX_REPORT, 0)
    file.close()
    assert load_configuration(disk, "/qm/qm.ini").log.primary_files == 64
    with pytest.raises(FileRefused, match=r"missing\.ini: found no file"):
        load_configuration(disk, "/qm/missing.ini")


def test_every_key_says_what_it_does() -> None:
    rows = list(configuration_keys())
    assert len(rows) > 40
    for stanza_name, key, _ in rows:
        assert key.effect, (stanza_name, key.name)
        assert key.kind.allowed
    written = format_configuration(Configuration())
    for stanza_name, key, _ in rows:
        assert (f"   {key.name}=" in written) or key.idle, (stanza_name, key.name)


def test_every_key_without_a_remark_is_read_by_something() -> None:
    source = "".join([path.read_text() for path in Path(config.__file__).parents[1].rglob("*.py")])
    silent = [
        f"{stanza.STANZA} {row.name}"
        for stanza in (*config.ONCE, *config.REPEATED)
        for row, declared in keys_of(stanza)
        if not row.idle and not re.search(rf"\.{declared.name}\b", source)
    ]
    assert silent == []
