"""A class graded on a real Dask cluster: the marks of a local run, whoever dies."""

from __future__ import annotations

import json
import re
import signal
import socket
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from grader import cluster as module
from grader.classroom import STORE
from grader.cluster import Cluster
from grader.pool import Gone
from grader.records import GraderFault, UsageError
from grader.store import Store
from tests.class_runs import CORPUS, command, handed_in, ran, results
from tests.dask_cluster import Dask, dask, message, misbehave
from tests.hand_ins import STUB, broken, copied, environment

pytest.importorskip("distributed", reason="needs the extra cluster")
RIGHT = sorted(path.stem for path in (CORPUS / "right").glob("*.py"))[:7]
WRONG = sorted(path.stem for path in (CORPUS / "wrong").glob("*ln_*.py"))[:4]
KILLS = "import os, signal; os.kill(os.getppid(), signal.SIGKILL)"
MANY = 150
slow = pytest.mark.timeout(300)  # many gradings in one test


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Dask]:
    """A scheduler and two workers of two threads; a test that kills workers starts others."""
    with dask(tmp_path_factory.mktemp("dask"), workers=2) as running:
        yield running


def started(folder: Path, run: Path, cluster: Dask) -> subprocess.Popen[bytes]:
    """`grader class` on the cluster, as a process that can be disturbed."""
    return subprocess.Popen(
        command("class", folder, "--output", run, "--cluster", cluster.address),
        env=environment(), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
    )  # fmt: skip


def wait_for_lines(run: Path, count: int, process: subprocess.Popen[bytes]) -> None:
    """Until the store has so many lines."""
    store = run / STORE
    while process.poll() is None and (not store.exists() or store.read_bytes().count(b"\n") < count):
        time.sleep(0.02)


def lines(run: Path) -> str:
    """What a store holds, but for times, and for one end of a worker that a thread cannot ask the kernel for."""
    return json.dumps(results(run), sort_keys=True).replace(", or when the grader dies", "")


def answers(cluster: Dask, *tasks: str, budget: float = 60.0) -> dict[str, bytes | Gone]:
    """What `misbehave` answers there."""
    return dict(Cluster(cluster.address, misbehave, message, budget).run(tasks))


@slow
def test_a_worker_killed_in_mid_run_changes_nothing(cluster: Dask, tmp_path: Path) -> None:
    """The store is that of a local run but for times; a hand-in that kills its parent is caught by the sandbox."""
    folder = handed_in(tmp_path / "class", [*RIGHT, *WRONG])
    (folder / "killer.py").write_text(broken("LayerNorm", KILLS), encoding="utf-8")
    local = ran("class", folder, "--output", tmp_path / "local", "--csv", tmp_path / "local.csv")
    process = started(folder, tmp_path / "run", cluster)
    wait_for_lines(tmp_path / "run", 3, process)
    victim = cluster.alive()[0]
    victim.kill()
    assert process.communicate() and (local.returncode, process.returncode) == (0, 0)
    assert [worker for worker in cluster.workers if worker.poll() is not None] == [victim]
    assert lines(tmp_path / "run") == lines(tmp_path / "local") and len(results(tmp_path / "run")) == 12
    ran("class", folder, "--output", tmp_path / "run", "--csv", tmp_path / "run.csv")
    assert (tmp_path / "run.csv").read_bytes() == (tmp_path / "local.csv").read_bytes()
    assert "killer,graded,82,100" in (tmp_path / "run.csv").read_text(encoding="utf-8")


@slow
def test_an_interrupted_run_goes_on(cluster: Dask, tmp_path: Path) -> None:
    """Killed, started again and interrupted, started again: every file is graded once, in the end all of them."""
    folder = tmp_path / "class"
    folder.mkdir()
    for number in range(MANY):
        (folder / f"s{number:03}.py").write_text(f"{STUB.read_text(encoding='utf-8')}# {number}\n", encoding="utf-8")
    cluster.add_workers(2 - len(cluster.alive()))
    for enough, how in ((30, signal.SIGKILL), (70, signal.SIGINT)):
        process = started(folder, tmp_path / "run", cluster)
        wait_for_lines(tmp_path / "run", enough, process)
        process.send_signal(how)
        process.communicate()
        assert process.returncode not in (0, None), "it was done before it was stopped"
    with Store(tmp_path / "run" / STORE) as store:
        done = len(store)
    assert 70 <= done < MANY
    last = ran("class", folder, "--output", tmp_path / "run", "--cluster", cluster.address)
    assert f"{MANY} hand-ins graded ({MANY - done} files graded now" in last.stdout, last.stderr
    assert len(results(tmp_path / "run")) == MANY


@slow
def test_another_kit_is_refused_by_the_workers_name(cluster: Dask, tmp_path: Path) -> None:
    """Before anything is graded, with both digests."""
    kit = copied(tmp_path / "kit")
    with (kit / "grader" / "rubric.py").open("a", encoding="utf-8") as file:
        file.write("# changed\n")
    folder = handed_in(tmp_path / "class", RIGHT[:1])
    done = ran("class", folder, "--output", tmp_path / "run", "--cluster", cluster.address, kit=kit)
    assert done.returncode == 3 and (tmp_path / "run" / STORE).read_bytes() == b""
    assert re.search(r"the worker tcp://\S+ has another kit: version \S+, digest [0-9a-f]{12}", done.stderr)


def test_a_worker_that_comes_later_with_another_kit(cluster: Dask) -> None:
    """It refuses the hand-in itself."""
    other = Cluster(cluster.address, misbehave, lambda task: message(task, "other"), 60.0)
    ((_, answer),) = other.run(["a"])
    assert isinstance(answer, bytes) and answer.startswith(b"!the worker tcp://") and b"another kit" in answer


def test_a_task_without_a_message_is_answered_with_why(cluster: Dask) -> None:
    """It never reaches a worker; no task needs no cluster."""
    told = Cluster(cluster.address, misbehave, lambda task: Gone("no message"), 60.0)
    assert dict(told.run(["a"])) == {"a": Gone("no message")}
    assert list(Cluster("nowhere", misbehave, message, 60.0).run([])) == []


@slow
def test_deaths_hangs_and_the_end_of_all_workers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What kills each worker it meets is given up, what stood beside it is not; a hang costs its budget."""
    with dask(tmp_path, workers=2, threads=1, DASK_DISTRIBUTED__SCHEDULER__ALLOWED_FAILURES="0") as cluster:
        cluster.add_workers(2, 1)
        found = answers(cluster, "a", "kill", "b", "c")
        assert {task: answer for task, answer in found.items() if task != "kill"} == {
            t: b"+" + t.encode() for t in "abc"
        }
        gone = found["kill"]
        assert isinstance(gone, Gone) and "every worker of the cluster that had it died" in gone.text
        assert len(cluster.alive()) == 2
        assert answers(cluster, "hang", "a", budget=3.0)["hang"] == Gone("the cluster gave no answer for 3 s")
        for worker in cluster.alive():
            worker.kill()
            worker.wait()
        monkeypatch.setattr(module, "WAITING", 1.0)
        with pytest.raises(UsageError, match="has no workers, and none came in 1 s"):
            answers(cluster, "a")


@slow
def test_a_worker_without_the_kit_is_named(tmp_path: Path) -> None:
    """And with it what to do."""
    (tmp_path / "path" / "grader").mkdir(parents=True)
    (tmp_path / "path" / "grader" / "__init__.py").write_text("raise ImportError('no kit here')", encoding="utf-8")
    with dask(tmp_path, workers=0) as cluster:
        cluster.add_workers(1, path=tmp_path / "path")
        with pytest.raises(GraderFault, match=r"the worker tcp://\S+ has no kit, or an old one: .*no kit here"):
            answers(cluster, "a")


def test_a_cluster_that_cannot_be_reached(monkeypatch: pytest.MonkeyPatch) -> None:
    """No address, nobody there, somebody who is no scheduler: each is told within the timeout."""
    monkeypatch.setattr(module, "CONNECTING", 1.0)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        for address in ("nonsense", "tcp://127.0.0.1:1", f"tcp://127.0.0.1:{silent.getsockname()[1]}"):
            with pytest.raises(UsageError, match=f"cannot reach a Dask scheduler at {address}"):
                list(Cluster(address, misbehave, message, 60.0).run(["a"]))


def test_a_missing_extra_is_named(tmp_path: Path) -> None:
    """With what to install."""
    (tmp_path / "path" / "distributed").mkdir(parents=True)
    (tmp_path / "path" / "distributed" / "__init__.py").write_text("raise ImportError('no Dask here')")
    folder = handed_in(tmp_path / "class", RIGHT[:1])
    done = ran("class", folder, "--cluster", "tcp://127.0.0.1:1", ahead=tmp_path / "path")
    assert done.returncode == 2 and "transformer-block-kit[cluster]" in done.stderr, done.stderr
