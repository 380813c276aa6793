"""Sends the calls of the farm's API, with the standard library alone."""
from __future__ import annotations

import base64
import json
import re
import threading
import time
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Iterator, Mapping
from http.client import HTTPException, HTTPResponse
from ssl import SSLContext
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from . import types
    from .client import ErrorCode

Answer = HTTPResponse


class Unset:
    """An argument that is not sent: the farm takes its default."""

    def __repr__(self) -> str:
        return "UNSET"


UNSET = Unset()


class MediafarmError(Exception):
    """What the farm refused, by the code of the answer.

    A farm that does not answer has the code UNAVAILABLE and the status 0, and what could not be asked has the code
    VALIDATION_FAILED and the status 0.
    """

    def __init__(self, status: int, problem: Mapping[str, Any], request_id: str | None = None) -> None:
        super().__init__(problem.get("message") or f"The farm answered {status}")
        self.status = status
        self.code: ErrorCode = problem.get("error") or "INTERNAL"
        self.message = str(self)
        self.details: list[dict[str, str]] = problem.get("details") or []
        self.request_id = request_id
        """Names the request in the farm's log."""


class Caller:
    """Where a farm is, and who asks.

    base_url: the farm's address, with or without /v1. oapi_key and oapi_secret: the farm's pair. auth_key and
    auth_secret: the API user. compliance: the date, YYYYMMDD, up to which the program knows the API. timeout: in
    seconds, for each answer. ssl_context: for a farm whose certificate this system does not know.
    """

    def __init__(
        self,
        base_url: str,
        *,
        oapi_key: str,
        oapi_secret: str,
        auth_key: str,
        auth_secret: str,
        compliance: str = "20261101",
        timeout: float = 60,
        ssl_context: SSLContext | None = None,
    ) -> None:
        self._origin = re.sub(r"/v1$", "", base_url.rstrip("/"))
        pair = base64.b64encode(f"{oapi_key}:{oapi_secret}".encode()).decode()
        self._common = {"authorization": f"Basic {pair}", "x-service-compliance": compliance}
        self._user = {"auth_key": auth_key, "auth_secret": auth_secret}
        self._timeout = timeout
        self._token: str | None = None
        self._lock = threading.Lock()
        handlers = [urllib.request.HTTPSHandler(context=ssl_context)] if ssl_context else []
        self._opener = urllib.request.build_opener(_NoRedirects, *handlers)

    def wait_for_job(self, job_id: str, *, every: float = 1, timeout: float | None = None) -> types.Job:
        """Waits until a job has ended, and returns what is then known of it. Throws TimeoutError after `timeout` seconds."""
        fields = ["id", "name", "status", "substatus", "progress", "error", "start_time", "end_time"]
        end = None if timeout is None else time.monotonic() + timeout
        while True:
            job = self.call("GET", "/v1/jobs/{job_id}/info", "token", {"job_id": job_id, "fields": fields})
            if job["status"] in ("completed", "failed"):
                return job
            if end is not None and time.monotonic() > end:
                raise TimeoutError(f"Job {job_id} is still {job['status']}")
            time.sleep(every)

    def call(self, method: str, path: str, needs: str, args: Mapping[str, Any], headers: Mapping[str, Any] = {}) -> Any:
        """One call that is answered with JSON."""
        with self.open(method, path, needs, args, headers) as answer:
            return json.load(answer)

    def listen(
        self, method: str, path: str, needs: str, args: Mapping[str, Any], headers: Mapping[str, Any] = {}
    ) -> Iterator[tuple[str | None, Any]]:
        """One call that is answered with events, until the stream ends."""
        with self.open(method, path, needs, args, headers) as answer:
            event_id = data = None
            for raw in answer:
                line = raw.decode().rstrip("\r\n")
                if line.startswith("data: "):
                    data = line[6:]
                elif line.startswith("id: "):
                    event_id = line[4:]
                elif line == "" and data is not None:
                    yield event_id, json.loads(data)
                    event_id = data = None

    def open(
        self, method: str, path: str, needs: str, args: Mapping[str, Any], headers: Mapping[str, Any] = {}
    ) -> Answer:
        """One call whose answer is read by the caller, and closed: it is a context manager."""
        rest = {name: value for name, value in args.items() if value is not UNSET}
        place = re.sub(r"\{(\w+)\}", lambda found: _part(found[1], str(rest.pop(found[1]))), path)
        own = {name: str(value) for name, value in headers.items() if value is not UNSET}
        body = None
        if method == "GET":
            place += _query_of(rest)
        elif rest:
            body = json.dumps(rest).encode()
            own["content-type"] = "application/json"
        if needs != "token":
            return self._send(method, place, body, own)
        token = self._current_token()
        try:
            return self._send(method, place, body, {**own, "x-service-sapiauth": token})
        except MediafarmError as problem:
            if problem.status != 401:
                raise
        return self._send(method, place, body, {**own, "x-service-sapiauth": self._current_token(instead_of=token)})

    def _current_token(self, instead_of: str | None = None) -> str:
        with self._lock:
            if self._token is None or self._token == instead_of:
                body = json.dumps(self._user).encode()
                with self._send("POST", "/v1/login", body, {"content-type": "application/json"}) as answer:
                    self._token = json.load(answer)["token"]
            return self._token

    def _send(self, method: str, place: str, body: bytes | None, headers: Mapping[str, str]) -> Answer:
        request = urllib.request.Request(
            self._origin + place, data=body, method=method, headers={**self._common, **headers}
        )
        try:
            return self._opener.open(request, timeout=self._timeout)
        except urllib.error.HTTPError as refused:
            with refused:
                raise MediafarmError(refused.code, _problem_in(refused.read()), refused.headers["x-request-id"]) from None
        except (OSError, HTTPException) as cause:
            words = f"No answer from {self._origin}: {cause}"
            raise MediafarmError(0, {"error": "UNAVAILABLE", "message": words}) from cause


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    """The API redirects nowhere, and credentials follow no one."""

    def redirect_request(self, *_: Any) -> None:
        return None


def _part(name: str, value: str) -> str:
    """In an address, nothing and dots do not name what they stand for: the request would go to another route."""
    if value in ("", ".", ".."):
        words = f"{name} cannot be {json.dumps(value)}"
        details = [{"path": name, "message": words}]
        raise MediafarmError(0, {"error": "VALIDATION_FAILED", "message": words, "details": details})
    return urllib.parse.quote(value, safe="")


def _query_of(args: Mapping[str, Any]) -> str:
    """Lists and objects travel as JSON text, and so do truth values."""
    words = {name: value if isinstance(value, str) else json.dumps(value) for name, value in args.items()}
    return f"?{urllib.parse.urlencode(words)}" if words else ""


def _problem_in(text: bytes) -> Mapping[str, Any]:
    try:
        found = json.loads(text)
    except ValueError:
        found = None
    # Something between the program and the farm may have answered.
    return found if isinstance(found, dict) else {"message": text[:200].decode(errors="replace")}
