"""What the tests of interoperability need and the repository does not have: IBM's classes, and a compiler.

They come from Maven's registry, by Ivy, which is part of pyspark and knows where that is; so Java 17 and what `make
setup` installs are enough. Each jar is checked against its digest, kept outside the repository and never shipped.
"""

import hashlib
import importlib.util
import shutil
import subprocess
from pathlib import Path

JACKSON = "com.fasterxml.jackson.core"
NEEDED = {  # by any of the clients
    f"{JACKSON}:jackson-annotations:2.15.3": "aae865c3d88256d61b11523cb1e88bd48d5b9ad5855fa1fc859504fd2204708a",
    f"{JACKSON}:jackson-core:2.15.3": "51fab7aad51ed588482edc507fd542747936c5094d1ab76ed21ddb63b96b610d",
    f"{JACKSON}:jackson-databind:2.15.3": "c3c53333a2172a80678bda1803e39cff45bec6ae3e9c7d4f44a81ec4e2ab18dc",
    "javax.jms:javax.jms-api:2.0.1": "aa4a16fac46d949b17b32091036e4d1e3c812ef3b4bd184ec838efffb53ba4f8",
    "org.json:json:20231013": "0f18192df289114e17aa1a0d0a7f8372cc9f5c7e4f7e39adcf8906fe714fa7d3",
}
ALLCLIENT = "com.ibm.mq:com.ibm.mq.allclient"
CLIENTS = {  # the newest of each release
    "9.0": {f"{ALLCLIENT}:9.0.5.0": "978dd2055026bc0a826b9563cb77eeb7a7b703ff9c075523bea7c8c94e65d437"},
    "9.1": {f"{ALLCLIENT}:9.1.5.0": "3bbd16a5f3d26037c56dc9f78bad2269baed21aaa6b2cd4011322b0e56ad0c87"},
    "9.2": {f"{ALLCLIENT}:9.2.5.0": "a941317d127452b0005567ffebf59ed88023e0d362381ce30f1109a8cd28f128"},
    "9.3": {f"{ALLCLIENT}:9.3.5.1": "14654ab0bdca72a881760fb663324af8a87ba2ab9b8006532b9626a06c7d9a83"},
    "9.4": {f"{ALLCLIENT}:9.4.5.0": "37dc74d9ff93b42e242f82d1df85fbf85d9967cd2f21d6ab88c3089776a6a0a9"},
}
SPRING = {  # the newest of those that know javax.jms
    "org.springframework:spring-aop:5.3.39": "aa706e4f749982c0bae5fa637433c44c24f0fff5d16dc41deea6d30c3dfa7c85",
    "org.springframework:spring-beans:5.3.39": "b6697a5d8facb81aa75e5a46d959d4256da9ce3b40d33f3b5bbd42a8b1ed5722",
    "org.springframework:spring-context:5.3.39": "9e644fc33bece9a9cb82538167a1b9640ae7b7d80252e893d89b8926a2f81633",
    "org.springframework:spring-core:5.3.39": "3a1ddcf05420a9181bd9cacb6062a3edc493e14d555961ad50e1a6360eb1e75f",
    "org.springframework:spring-expression:5.3.39": "d5337774d889fcdc9c08b0c8b8aaa1018d4c95b9b441db0118f7ae4d328f2810",
    "org.springframework:spring-jcl:5.3.39": "adbe656fc622e2457fefa09529d4b7c1126a3c4ff1c9306907764fcc93f1b725",
    "org.springframework:spring-jms:5.3.39": "11088e008c8b1a5b09f100fbfa1d06d3f8462b1e1f5815086644387394c9e168",
    "org.springframework:spring-messaging:5.3.39": "c895cdde745631e9b45cbe408dc2f5c5b6c602929ba679c5bb69efb9a8993d0e",
    "org.springframework:spring-tx:5.3.39": "defdd2e72eb88729e40bc6773c6860d3c52136c46861d27806379562ffc4b21b",
}
COMPILER = {"org.eclipse.jdt:ecj:3.37.0": "cde026ff966b48b5e5f148b6f041ceff3cf4f85cf75155f4ec0f40e4ee14b545"}
RELEASE = "17"
PATIENCE = 180.0


class Absent(Exception):
    """Something that must be installed first; the text says what."""


def java() -> str:
    """The program that runs Java."""
    found = shutil.which("java")
    if found is None:
        raise Absent("Java 17 or later is not installed")
    return found


def _ivy() -> Path:
    """The jar of Ivy."""
    spark = importlib.util.find_spec("pyspark")
    places = list(spark.submodule_search_locations or []) if spark is not None else []
    for place in places:
        for path in Path(place, "jars").glob("ivy-*.jar"):
            return path
    raise Absent("pyspark, whose Ivy fetches IBM's classes, is not installed (pip install 'kew-mq[spark]')")


def fetched(artifacts: dict[str, str], cache: Path) -> list[Path]:
    """Jars by group, name and version, fetched if they are not there yet."""
    cache.mkdir(parents=True, exist_ok=True)
    places = {artifact: cache / "{1}-{2}.jar".format(*artifact.split(":")) for artifact in artifacts}
    missing = [artifact for artifact, path in places.items() if not path.exists()]
    if missing:
        _fetch(missing, cache)
    for artifact, path in places.items():
        if not path.exists() or hashlib.sha256(path.read_bytes()).hexdigest() != artifacts[artifact]:
            raise Absent(f"{artifact} could not be fetched, or is not what was expected; look at {path}")
    return list(places.values())


def _fetch(artifacts: list[str], cache: Path) -> None:
    """Have Ivy bring jars, all in one run."""
    wanted = [
        '<dependency org="{}" name="{}" rev="{}" transitive="false" conf="default->default"/>'.format(*each.split(":"))
        for each in artifacts
    ]
    module = cache / "ivy.xml"
    module.write_text(
        '<ivy-module version="2.0"><info organisation="kew" module="interop"/>'
        f'<configurations><conf name="default"/></configurations><dependencies>{"".join(wanted)}</dependencies>'
        "</ivy-module>"
    )
    command = [java(), "-jar", str(_ivy()), "-ivy", str(module), "-confs", "default"]
    command += ["-cache", str(cache / "ivy"), "-retrieve", f"{cache}/[artifact]-[revision].[ext]"]
    subprocess.run(command, stdout=subprocess.DEVNULL, timeout=PATIENCE, check=False)


def compiled(sources: list[Path], jars: list[Path], target: Path, cache: Path) -> str:
    """Compile programs, by the JDK's compiler or, in a JRE, by Eclipse's; the class path to run with."""
    classes = ":".join([str(jar) for jar in jars])
    files = [str(path) for path in sources]
    options = ["-cp", classes, "-d", str(target), *files]
    compiler = shutil.which("javac")
    if compiler is not None:
        command = [compiler, "--release", RELEASE, *options]
    else:
        command = [java(), "-jar", str(fetched(COMPILER, cache)[0]), "-nowarn", f"-{RELEASE}", *options]
    subprocess.run(command, check=True, timeout=PATIENCE)
    return f"{classes}:{target}"
