"""Results as the laboratory keeps them, made up."""

from pathlib import Path

from kew.perf.histogram import bucket_of
from kew.perf.results import Point, Sample, VerbTime, append, describe_host

HOST = describe_host()
VERBS = [VerbTime(verb, 10, 0.00002, 0.00002, 0.00003) for verb in ("MQCONN", "MQPUT", "MQGET")]


def point(
    name: str, clients: int, rate: float, run: str = "20260101T000000-a", repeat: int = 1, **more: object
) -> Point:
    scenario, _, variant = name.partition("/")
    made = Point(
        run=run, scenario=scenario, variant=variant, title=f"The {scenario}", source="S1", picture="a -> [q] -> b"
    )
    made.kind, made.clients, made.rate, made.repeat, made.host = "request-reply", clients, rate, repeat, HOST
    made.mean = made.p50 = made.p95 = made.p99 = made.longest = clients / rate
    made.cpu_qmgr, made.cpu_clients, made.size, made.units, made.puts = 50.0, 70.0, 2048, 100, 100
    made.histogram = {bucket_of(int(made.mean * 1e9)): 100}
    made.samples = [Sample(0.1, rate, 100), Sample(0.2, rate, 200)]
    for key, value in more.items():
        setattr(made, key, value)
    return made


def some_results(folder: Path) -> Path:
    """Make a folder with two runs."""
    append(folder, [point("bindings/local_np_trusted", 1, 10.0, run="20250101T000000-a")])
    newest = [
        point("bindings/local_np_trusted", clients, rate, repeat=repeat)
        for clients, rates in ((1, (1000.0, 1100.0, 5000.0)), (4, (2000.0, 2010.0, 1990.0)))
        for repeat, rate in enumerate(rates, 1)
    ]
    newest += [point("bindings/local_np_shared", clients, 1000.0 + clients) for clients in (1, 4)]
    newest += [point(f"mqi/np_{size}", 1, 100.0, kind="verbs", verbs=VERBS, size=size) for size in (50, 2048)]
    append(folder, newest)
    return folder
