"""The document of the interactive page at its largest."""

import json

from kew.analytics.reports.interactive import MOST_LINES, Overview, closest, page_lines, rounded

MILLION = 1_000_000


def test_three_months_of_twenty_queue_managers_stay_small() -> None:
    """As many buckets, lines, findings and rows as there can be, with values of full length."""
    made = Overview("Three months", 1_709_251_200_000, 19_440_000)
    for number in range(20):
        about = {"label": f"SYS{number:02},QM{number:02}", "system": f"SYS{number:02}"}
        made.managers.append({**about, "first": 1_709_251_200_000, "last": 1_717_027_200_000, "records": MILLION})
    for chart in range(15):
        series = [
            {
                "m": manager,
                "o": f"APPLICATION.QUEUE.OF.FORTY.CHARACTERS.{one:03}",
                "t": list(range(400)),
                "v": rounded([12_345.6789 + 0.1 * at + one for at in range(400)]),
                "gap": 1.5,
            }
            for manager in range(20)
            for one in range(10)
        ]
        shown, left = closest(series)
        assert (len(shown), left) == (MOST_LINES, 200 - MOST_LINES)
        made.charts.append(
            {"id": f"c{chart}", "title": "A chart", "unit": "", "limit": 100, "series": shown, "left": left}
        )
    for number in range(500):
        made.findings.append(
            {"severity": "E", "rule": "BP01", "m": number % 20, "subject": "x" * 60, "advice": "y" * 150}
        )
    for _ in range(3):
        made.tables.append({"title": "A table", "columns": ["a"] * 20, "rows": [[123_456.789] * 20] * 500})
    text = "".join(page_lines(made))
    assert len(text) < 10 * MILLION
    data = json.loads(text.partition("type='application/json'>")[2].partition("</script>")[0])
    assert len(data["charts"]) == 15


def test_the_highest_lines_are_kept_in_one_order() -> None:
    series = [{"m": one % 3, "o": str(one), "v": [float(one)]} for one in range(10)]
    shown, left = closest(series, 4)
    assert ([(one["m"], one["o"]) for one in shown], left) == ([(0, "6"), (0, "9"), (1, "7"), (2, "8")], 6)
    assert rounded([1.23456789, 123456789.0, 0.0]) == [1.2346, 123460000.0, 0.0]
