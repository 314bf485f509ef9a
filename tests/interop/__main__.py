"""Others' programs against a queue manager: `make interop`.

IBM's own clients, the MQ classes for Java and JMS, connect and work (`fetch.py` says where they come from); each case
of the programs beside this module prints ok or FAIL. Where tshark is installed, it must understand our traffic.
"""

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from subprocess import PIPE

from kew.codes.reasons import MQRC_CONNECTION_QUIESCING, MQRC_Q_MGR_QUIESCING
from tests.interop import dissect
from tests.interop.fetch import CLIENTS, NEEDED, SPRING, Absent, compiled, fetched, java
from tests.support.certificates import certify, found
from tests.support.network import Reachable, reachable
from tests.support.server import OPEN_CHANNEL, ServerProcess

ROOT = Path(__file__).parents[2]
PROGRAMS = Path(__file__).parent / "java"
EXAMPLES = ROOT / "examples" / "jms"
PROGRAM_NAMES = ("BaseClient", "JmsClient", "XaClient", "TopicClient")
QUEUED = ROOT / "examples" / "jms" / "queued.mqsc"  # what topics take by a channel with SHARECNV(0)
SHARED = (0, 1, 10)
SECURE = (
    ("INTEROP.TLS12", "ECDHE_RSA_AES_256_GCM_SHA384", "TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384"),
    ("INTEROP.TLS13", "TLS_AES_256_GCM_SHA384", "TLS_AES_256_GCM_SHA384"),
)
# Clients of 9.0 and 9.1 wait for ever for the end of a handshake on Java 11 and later.
WITHOUT_TLS = ("9.0", "9.1")
COMPRESSION = {"RLE": 1, "ZLIBFAST": 2, "ZLIBHIGH": 4}
PATIENCE = 120.0


def trusted(site: Reachable, folder: Path) -> list[str]:
    """Give the queue manager keys, and the programs the authority to believe in; what to tell Java."""
    certify(folder, "qm", "/O=Kew/CN=QM1", found(folder, "ca", "/O=Kew/CN=Authority"))
    site.mqsc(f"ALTER QMGR SSLKEYR('{folder}/qm')")
    site.mqsc("REFRESH SECURITY TYPE(SSL)")
    store = folder / "trust.p12"
    believed = ["-alias", "ca", "-file", str(folder / "ca.crt"), "-keystore", str(store), "-storetype", "PKCS12"]
    keytool = shutil.which("keytool") or str(Path(java()).resolve().with_name("keytool"))
    subprocess.run([keytool, "-importcert", "-noprompt", *believed, "-storepass", "secret"], check=True)
    return [
        f"-Djavax.net.ssl.trustStore={store}",
        "-Djavax.net.ssl.trustStorePassword=secret",
        "-Dcom.ibm.mq.cfg.useIBMCipherMappings=false",
    ]


def run(site: Reachable, program: str, class_path: str, channel: str, folder: Path, more: list[str]) -> bool:
    """Run a program against a channel; whether all its cases went well."""
    command = [java(), *more, "-cp", class_path, program, "127.0.0.1", str(site.port), channel]
    try:
        ended = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=PATIENCE)
    except subprocess.TimeoutExpired as late:
        print(f"-- {program} by {channel}\nFAIL after {PATIENCE} seconds: {late.stdout!r}", flush=True)
        return False
    print(f"-- {program} by {channel}\n{ended.stdout}{ended.stderr}", flush=True)
    for number in (1, 2, 3):
        site.mqsc(f"CLEAR QLOCAL(DEV.QUEUE.{number})")
    return ended.returncode == 0


def run_clients(site: Reachable, class_path: str, folder: Path, secure: Sequence[tuple[str, str, str]]) -> int:
    """Run IBM's clients; the number of programs that failed."""
    failed = 0
    site.mqsc("DEFINE QLOCAL(DEV.POISON) BOTHRESH(2) BOQNAME(DEV.QUEUE.2)")
    site.manager.mqsc(QUEUED.read_text())
    for shared in SHARED:
        site.define_channel(f"INTEROP.{shared}", f"SHARECNV({shared})")
        # With SHARECNV(0) these clients publish as those of version 6 did, by messages to a broker.
        for program in PROGRAM_NAMES:
            topics = program == "TopicClient" and not shared
            for more in (["-Dkew.queued=1"], ["-Dkew.queued=2"]) if topics else ([],):
                failed += not run(site, program, class_path, f"INTEROP.{shared}", folder, more)
    for method, code in COMPRESSION.items():
        channel = f"PACKED.{method}"
        site.define_channel(channel, f"COMPMSG({method})")
        failed += not run(site, "BaseClient", class_path, channel, folder, [f"-Dkew.compressed={code}"])
    keys = trusted(site, folder)
    for channel, cipher, suite in secure:
        site.define_channel(channel, f"SSLCIPH({cipher}) SSLCAUTH(OPTIONAL)")
        for program in PROGRAM_NAMES:
            failed += not run(site, program, class_path, channel, folder, [*keys, f"-Dkew.cipher={suite}"])
    return failed


def run_refused(site: Reachable, class_path: str, folder: Path) -> int:
    """Have a program come in by channels that let nobody in; whether it was told anything but the right reasons."""
    site.define_channel("STOPPED", "")
    site.define_channel("FULL", "MAXINST(0)")
    site.define_channel("SECRET", "SSLCIPH(ANY_TLS13)")
    site.mqsc("STOP CHANNEL(STOPPED)")
    site.mqsc("DEFINE CHANNEL(INWARD) CHLTYPE(RCVR)")
    site.mqsc("DEFINE CHANNEL(SHUT) CHLTYPE(SVRCONN) MCAUSER('app')")  # which no record lets anybody in by
    expected = "NO.SUCH=2540,INWARD=2539,STOPPED=2537,FULL=2537,SECRET=2397,SHUT=2035"
    return int(not run(site, "RefusalClient", class_path, expected, folder, []))


def run_with_little(site: Reachable, class_path: str, folder: Path) -> int:
    """Have a program work that may use one queue and nothing else; whether anything more was asked of it."""
    site.mqsc("DEFINE CHANNEL(INTEROP.LITTLE) CHLTYPE(SVRCONN) MCAUSER('little')")
    site.mqsc("SET CHLAUTH(INTEROP.LITTLE) TYPE(ADDRESSMAP) ADDRESS('*') USERSRC(CHANNEL)")
    site.mqsc("SET AUTHREC OBJTYPE(QMGR) PRINCIPAL('little') AUTHADD(CONNECT,INQ)")
    site.mqsc("SET AUTHREC PROFILE(DEV.QUEUE.1) OBJTYPE(QUEUE) PRINCIPAL('little') AUTHADD(PUT,GET,BROWSE,INQ)")
    return int(not run(site, "LittleAuthorityClient", class_path, "INTEROP.LITTLE", folder, []))


def run_quiesced(site: Reachable, class_path: str, folder: Path) -> int:
    """Stop channels, then the queue manager, under programs that work; the number of programs that took it ill."""
    failed = 0
    for kind, reason in (("CHANNEL", MQRC_CONNECTION_QUIESCING), ("QMGR", MQRC_Q_MGR_QUIESCING)):
        running = []
        for shared in SHARED:
            channel = f"QUIESCE.{kind}.{shared}"
            site.define_channel(channel, f"SHARECNV({shared})")
            command = [java(), "-cp", class_path, "QuiesceClient", "127.0.0.1", str(site.port), channel, str(reason)]
            program = subprocess.Popen(command, cwd=folder, stdin=PIPE, stdout=PIPE, text=True)
            assert program.stdout is not None
            assert program.stdout.readline() == "ready\n"
            running.append((channel, program))
        if kind == "QMGR":
            site.manager.quiesce()
        for channel, program in running:
            if kind == "CHANNEL":
                site.mqsc(f"STOP CHANNEL({channel}) MODE(QUIESCE)")
            said, _ = program.communicate("\n", PATIENCE)
            print(f"-- QuiesceClient by {channel}\n{said}", flush=True)
            failed += program.returncode != 0
    return failed


def run_examples(site: Reachable, class_path: str, folder: Path) -> int:
    """Run the examples; the number of those that do not print what docs/examples.md shows."""
    failed, shown = 0, (ROOT / "docs" / "examples.md").read_text()
    for path in sorted(EXAMPLES.glob("*.java")):
        command = [java(), "-cp", class_path, path.stem, "localhost", str(site.port)]
        ended = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=PATIENCE)
        good = ended.returncode == 0 and f"```text\n{ended.stdout}```" in shown
        print(f"-- {path.name}: {'ok' if good else 'FAIL'}\n{ended.stdout}{ended.stderr}", flush=True)
        failed += not good
    return failed


def run_recovery(class_path: str, folder: Path) -> int:
    """Kill a transaction manager and the queue manager after the prepares, and again between the commits."""
    failed = 0
    with ServerProcess(folder / "recovery") as server:
        for step in ("prepare", "half", "finish"):
            command = [java(), "-cp", class_path, "RecoveryClient", "127.0.0.1", str(server.port), OPEN_CHANNEL, step]
            ended = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=PATIENCE)
            print(f"-- RecoveryClient\n{ended.stdout}{ended.stderr}", flush=True)
            failed += ended.returncode != 0
            server.kill()
            server.start()
    return int(failed > 0)


def run_spring(site: Reachable, jars: list[Path], folder: Path, cache: Path) -> int:
    """Run Spring's template and its container of listeners; whether a message was lost or came twice."""
    target = folder / "spring"
    target.mkdir()
    sources = sorted((PROGRAMS / "spring").glob("*.java"))
    class_path = compiled(sources, [*jars, *fetched(SPRING, cache)], target, cache)
    return int(not run(site, "ContainerClient", class_path, "INTEROP.10", folder, []))


def run_dissector(site: Reachable, folder: Path) -> int:
    """Have tshark look at our traffic; whether it failed."""
    try:
        segments, malformed = dissect.check(site, folder)
    except Absent as absent:
        print(f"-- tshark: not asked, since {absent}")
        return 0
    print(f"-- tshark: {segments} segments understood, {len(malformed)} packets malformed")
    print("\n".join(malformed[:20]))
    return int(not segments or bool(malformed))


def run_release(release: str, cache: Path) -> int:
    """Run everything with the newest client of a release; the number of programs that failed."""
    sources = sorted([*PROGRAMS.glob("*.java"), *EXAMPLES.glob("*.java")])
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        try:
            jars = fetched({**CLIENTS[release], **NEEDED}, cache)
            class_path = compiled(sources, jars, folder, cache)
        except Absent as absent:
            raise SystemExit(f"IBM's clients cannot be run: {absent}.") from absent
        print(f"== {' '.join(CLIENTS[release])}", flush=True)
        with reachable(folder / "data") as site:
            failed = run_examples(site, class_path, folder)
            failed += run_clients(site, class_path, folder, () if release in WITHOUT_TLS else SECURE)
            failed += run_refused(site, class_path, folder)
            failed += run_with_little(site, class_path, folder)
            failed += run_recovery(class_path, folder) + run_spring(site, jars, folder, cache)
            failed += run_dissector(site, folder)
            failed += run_quiesced(site, class_path, folder)
    print(f"== {release}: " + ("all went well" if not failed else f"{failed} programs failed"), flush=True)
    return failed


def main(arguments: list[str]) -> int:
    """Run everything with the releases that are named, else with all; the number of programs that failed."""
    unknown = [each for each in arguments if each not in CLIENTS]
    if unknown:
        raise SystemExit(f"{unknown[0]} is not a release that is tested; those are {' '.join(CLIENTS)}.")
    cache = Path(os.environ.get("KEW_INTEROP_CACHE", "build/interop")).absolute()
    return sum([run_release(each, cache) for each in arguments or CLIENTS])


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
