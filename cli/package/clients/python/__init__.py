"""The API of Mediafarm, typed. It needs the standard library alone."""

from .client import VERSION, ErrorCode, Mediafarm
from .runtime import UNSET, Answer, MediafarmError, Unset

__all__ = ["UNSET", "VERSION", "Answer", "ErrorCode", "Mediafarm", "MediafarmError", "Unset"]
