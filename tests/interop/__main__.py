"""IBM's own clients against a queue manager: `make interop`.

The MQ classes for Java and JMS come by Maven when the tests run, are checked against the digests below, kept
outside the repository and never shipped. Each case of the programs beside this module prints ok or FAIL.
"""

import hashlib
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from tests.support.certificates import certify, found
from tests.support.network import Reachable, reachable

JACKSON = "com.fasterxml.jackson.core"
JARS = {
    "com.ibm.mq:com.ibm.mq.allclient:9.3.5.0": "2293eda3fd6cc3950de560243a01d265b35c3f287f30d017cc287b5f1eb5d07c",
    f"{JACKSON}:jackson-annotations:2.15.3": "aae865c3d88256d61b11523cb1e88bd48d5b9ad5855fa1fc859504fd2204708a",
    f"{JACKSON}:jackson-core:2.15.3": "51fab7aad51ed588482edc507fd542747936c5094d1ab76ed21ddb63b96b610d",
    f"{JACKSON}:jackson-databind:2.15.3": "c3c53333a2172a80678bda1803e39cff45bec6ae3e9c7d4f44a81ec4e2ab18dc",
    "javax.jms:javax.jms-api:2.0.1": "aa4a16fac46d949b17b32091036e4d1e3c812ef3b4bd184ec838efffb53ba4f8",
    "org.json:json:20231013": "0f18192df289114e17aa1a0d0a7f8372cc9f5c7e4f7e39adcf8906fe714fa7d3",
}
PROGRAMS = Path(__file__).parent / "java"
SHARED = (0, 1, 10)
SECURE = (
    ("INTEROP.TLS12", "ECDHE_RSA_AES_256_GCM_SHA384", "TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384"),
    ("INTEROP.TLS13", "TLS_AES_256_GCM_SHA384", "TLS_AES_256_GCM_SHA384"),
)
PATIENCE = 120.0


def library(cache: Path) -> list[Path]:
    """The jars, copied by Maven if they are not there yet."""
    cache.mkdir(parents=True, exist_ok=True)
    found = []
    for artifact, digest in JARS.items():
        _group, name, version = artifact.split(":")
        path = cache / f"{name}-{version}.jar"
        if not path.exists():
            copy = ["mvn", "-q", "-B", "dependency:copy", f"-Dartifact={artifact}", f"-DoutputDirectory={cache}"]
            subprocess.run(copy, check=True)
        if hashlib.sha256(path.read_bytes()).hexdigest() != digest:
            raise SystemExit(f"{path} is not what was expected")
        found.append(path)
    return found


def compiled(jars: list[Path], target: Path) -> str:
    """Compile the programs; the class path to run them with."""
    classes = os.pathsep.join([str(jar) for jar in jars])
    sources = [str(path) for path in sorted(PROGRAMS.glob("*.java"))]
    subprocess.run(["javac", "-cp", classes, "-d", str(target), *sources], check=True)
    return f"{classes}{os.pathsep}{target}"


def trusted(site: Reachable, folder: Path) -> list[str]:
    """Give the queue manager keys, and the programs the authority to believe in; what to tell Java."""
    certify(folder, "qm", "/O=Kew/CN=QM1", found(folder, "ca", "/O=Kew/CN=Authority"))
    site.mqsc(f"ALTER QMGR SSLKEYR('{folder}/qm')")
    site.mqsc("REFRESH SECURITY TYPE(SSL)")
    store = folder / "trust.p12"
    believed = ["-alias", "ca", "-file", str(folder / "ca.crt"), "-keystore", str(store), "-storetype", "PKCS12"]
    subprocess.run(["keytool", "-importcert", "-noprompt", *believed, "-storepass", "secret"], check=True)
    return [
        f"-Djavax.net.ssl.trustStore={store}",
        "-Djavax.net.ssl.trustStorePassword=secret",
        "-Dcom.ibm.mq.cfg.useIBMCipherMappings=false",
    ]


def run(site: Reachable, program: str, class_path: str, channel: str, folder: Path, more: list[str]) -> bool:
    """Run a program against a channel; whether all its cases went well."""
    command = ["java", *more, "-cp", class_path, program, "127.0.0.1", str(site.port), channel]
    ended = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=PATIENCE)
    print(f"-- {program} by {channel}\n{ended.stdout}{ended.stderr}", flush=True)
    for number in (1, 2, 3):
        site.mqsc(f"CLEAR QLOCAL(DEV.QUEUE.{number})")
    return ended.returncode == 0


def main() -> int:
    """Run everything; the number of programs that failed."""
    cache = Path(os.environ.get("KEW_INTEROP_CACHE", "build/interop")).absolute()
    failed = 0
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        class_path = compiled(library(cache), folder)
        with reachable(folder / "data") as site:
            for shared in SHARED:
                site.define_channel(f"INTEROP.{shared}", f"SHARECNV({shared})")
                for program in ("BaseClient", "JmsClient"):
                    failed += not run(site, program, class_path, f"INTEROP.{shared}", folder, [])
            keys = trusted(site, folder)
            for channel, cipher, suite in SECURE:
                site.define_channel(channel, f"SSLCIPH({cipher}) SSLCAUTH(OPTIONAL)")
                for program in ("BaseClient", "JmsClient"):
                    failed += not run(site, program, class_path, channel, folder, [*keys, f"-Dkew.cipher={suite}"])
    print("all went well" if not failed else f"{failed} programs failed")
    return failed


if __name__ == "__main__":
    sys.exit(main())
