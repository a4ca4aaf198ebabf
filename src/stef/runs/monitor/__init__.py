"""RUNs over time: figures by period, and whether questions or SQL drift."""

from stef.runs.monitor.model import Blame, Change, Monitored, Series
from stef.runs.monitor.monitor import MonitorOptions, monitor_runs
from stef.runs.monitor.reading import read_only

__all__ = ["Blame", "Change", "MonitorOptions", "Monitored", "Series", "monitor_runs", "read_only"]
