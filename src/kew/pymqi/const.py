"""MQ's constants, all in one module."""
# ruff: noqa: F403

from kew.pymqi.CMQC import *
from kew.pymqi.CMQCFC import *
from kew.pymqi.CMQXC import *
