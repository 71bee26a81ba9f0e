"""Opens the database of an nbgrader gradebook: SQLite by default, anything that SQLAlchemy knows by its URL."""

from __future__ import annotations

import os
import sysconfig
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import Any

from grader.records import UsageError

CONNECTING = 10  # seconds for a PostgreSQL server to answer
_OWN_TABLE = "submitted_assignment"


@contextmanager
def opened(place: str) -> Iterator[Any]:
    """nbgrader's Gradebook for a URL or the path of an SQLite file; a database without tables is given them.

    What is done inside is lost unless it is committed there. Raises UsageError when nbgrader or a driver is missing,
    for a database that cannot be opened or is another program's, and for whatever it refuses inside.
    """
    url, errors = _url(place), import_module("sqlalchemy.exc")
    shown = url.render_as_string()  # without the password
    try:
        _refuse_strangers(url, shown)
        with _alembic_on_the_path(), import_module("nbgrader.api").Gradebook(url) as book:
            yield book
    except ImportError as error:
        raise UsageError(f"the gradebook {shown} needs a driver that is not installed: {error}") from None
    except errors.SQLAlchemyError as error:
        why = str(getattr(error, "orig", None) or error).strip().partition("\n")[0]
        raise UsageError(
            f"cannot use the gradebook {shown}: {why}. Does it exist, and may you write there? If an older nbgrader "
            "made it: `nbgrader db upgrade`"
        ) from None


def _url(place: str) -> Any:
    """A URL of SQLAlchemy's. Raises UsageError when the extra is missing or ``place`` is none."""
    try:
        urls, errors = import_module("sqlalchemy.engine.url"), import_module("sqlalchemy.exc")
        import_module("nbgrader.api")
    except ImportError as error:
        extra = "pip install 'transformer-block-kit[gradebook]'"
        raise UsageError(f"--gradebook needs nbgrader ({error}); install it with: {extra}") from None
    if "://" not in place:
        return urls.URL.create("sqlite", database=str(Path(place).resolve()))
    try:
        url = urls.make_url(place)
    except (errors.ArgumentError, ValueError) as error:
        raise UsageError(f"--gradebook is no URL of a database: {error}; e.g. postgresql://USER@HOST/NAME") from None
    if url.get_backend_name() == "sqlite" and url.database in (None, "", ":memory:"):
        raise UsageError("--gradebook names no file; give a path, e.g. gradebook.db")
    if url.drivername in ("postgresql", "postgres", "postgresql+psycopg"):  # the driver that the extra installs
        timeout = {"connect_timeout": str(CONNECTING), **url.query}
        url = url.set(drivername="postgresql+psycopg", query=timeout)
    return url


def _refuse_strangers(url: Any, shown: str) -> None:
    """Raise UsageError for a database with tables, none of which is nbgrader's."""
    sqlalchemy = import_module("sqlalchemy")
    engine = sqlalchemy.create_engine(url)
    try:
        tables = sqlalchemy.inspect(engine).get_table_names()
    finally:
        engine.dispose()
    if tables and _OWN_TABLE not in tables:
        raise UsageError(
            f"{shown} is a database of another program (it has {tables[0]}): give one that is empty or new"
        )


@contextmanager
def _alembic_on_the_path() -> Iterator[None]:
    """nbgrader runs `alembic` by its name for a new database; it lies beside the Python that runs us."""
    before = os.environ.get("PATH")
    os.environ["PATH"] = os.pathsep.join(filter(None, (sysconfig.get_path("scripts"), before)))
    try:
        yield
    finally:
        if before is None:
            del os.environ["PATH"]
        else:
            os.environ["PATH"] = before
