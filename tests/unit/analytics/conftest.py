"""Statistics need numpy and pyarrow, which the extra `spark` brings."""

import pytest

pytest.importorskip("numpy")
pytest.importorskip("pyarrow")
