"""The shop's database: SQLite in a file of its own, seeded the same every time."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import RLock
from typing import Any

from skillnb.testing.site.seed import SCHEMA, seed

__all__ = ["Data"]

_Value = str | int | float | bytes | None


class Data:
    """One connection, one lock: every statement is whole before the next begins."""

    def __init__(self, file: Path) -> None:
        self._lock = RLock()
        self._connection = sqlite3.connect(file, check_same_thread=False, isolation_level=None)
        self._connection.row_factory = sqlite3.Row
        self._connection.execute("pragma synchronous = off")
        self._connection.execute("pragma journal_mode = memory")
        self._generation = 0
        self.reset()

    def reset(self) -> None:
        """The seeded data again; every session ends, and none of later ones is taken for an earlier one."""
        with self._lock:
            self._connection.executescript(SCHEMA)
            with self.together():
                for statement, rows in seed():
                    self._connection.executemany(statement, rows)
            self._generation += 1

    @contextmanager
    def together(self) -> Iterator[None]:
        """All statements of the block, or none."""
        with self._lock:
            self._connection.execute("begin")
            try:
                yield
            except BaseException:
                self._connection.execute("rollback")
                raise
            self._connection.execute("commit")

    def rows(self, statement: str, *values: _Value) -> list[dict[str, Any]]:
        with self._lock:
            return [dict(row) for row in self._connection.execute(statement, values)]

    def row(self, statement: str, *values: _Value) -> dict[str, Any] | None:
        return next(iter(self.rows(statement, *values)), None)

    def do(self, statement: str, *values: _Value) -> int:
        """The id of the row that was inserted, if one was."""
        with self._lock:
            return self._connection.execute(statement, values).lastrowid or 0

    def table(self, name: str) -> list[dict[str, Any]]:
        """Every row, in the order they were made. Raises ValueError for a table that is not there."""
        known = [each["name"] for each in self.rows("select name from sqlite_master where type = 'table' order by 1")]
        if name not in known:
            raise ValueError(f"no table {name!r}; there are {', '.join(known)}")
        return self.rows(f"select * from {name} order by rowid")

    def log_in(self, user: str) -> str:
        number = self.do("insert into sessions (user) values (?)", user)
        return f"{self._generation}-{number}"

    def user_of(self, session: str) -> str | None:
        """Who is logged in; "" for a visitor without a name, None for a session that is not open."""
        generation, _, number = session.partition("-")
        if generation != str(self._generation):
            return None
        found = self.row("select user from sessions where id = ?", number)
        return str(found["user"]) if found else None

    def log_out(self, session: str) -> None:
        if self.user_of(session) is not None:
            self.do("delete from sessions where id = ?", session.partition("-")[2])

    def say(self, session: str, text: str) -> None:
        """Something to be shown on the session's next page."""
        self.do("insert into messages (session, text) values (?, ?)", session, text)

    def said(self, session: str) -> list[str]:
        """What is to be shown now; it is forgotten by being asked."""
        with self._lock:
            found = self.rows("select text from messages where session = ? order by id", session)
            if found:
                self.do("delete from messages where session = ?", session)
            return [str(each["text"]) for each in found]

    def close(self) -> None:
        with self._lock:
            self._connection.close()
