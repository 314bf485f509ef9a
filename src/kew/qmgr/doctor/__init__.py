"""The checks of `kew doctor`: whether a host, and one queue manager on it, are fit to run."""

from kew.qmgr.doctor.finding import FAIL, LEVELS, OK, WARN, Finding, worst
from kew.qmgr.doctor.machine import Machine

__all__ = ["FAIL", "LEVELS", "OK", "WARN", "Finding", "Machine", "worst"]
