"""A process around a search: Ctrl-C, threads, fork."""

from __future__ import annotations

import multiprocessing
import os
import pickle
import re
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from conftest import lines_of

import c4lab

posix = pytest.mark.skipif(os.name != "posix", reason="signals and fork are those of a Unix")
# Long after any test's patience.
SLOW = "pons-05"


def interrupted(call: str, folder: Path) -> str:
    """What a process says that gets SIGINT in the midst of a call; afterwards it must be fit for another search."""
    script = f"""
import c4lab
solver = c4lab.Solver({SLOW!r})
print("begun", flush=True)
try:
    {call}
    print("it ended")
except KeyboardInterrupt:
    print("interrupted")
print(solver.solve("44455554221"), c4lab.solve("44455554221"))
"""
    process = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True, cwd=folder)
    assert process.stdout is not None
    assert process.stdout.readline() == "begun\n"
    # Some time into the call; whether it is early or late does not matter, as long as it has begun.
    with pytest.raises(subprocess.TimeoutExpired):
        process.wait(0.7)
    process.send_signal(signal.SIGINT)
    out, _ = process.communicate(timeout=60)
    assert process.returncode == 0
    return out


@posix
@pytest.mark.parametrize(
    "call",
    [
        'solver.solve("")',
        'solver.analyze("4")',
        'solver.best_line("4")',
        'solver.solve_many(["", "4", "44", "444"], threads=2)',
        'solver.analyze_many(["4"] * 100)',
        f'c4lab.solve("", variant={SLOW!r})',
    ],
)
def test_ctrl_c_ends_it(call: str, tmp_path: Path) -> None:
    assert interrupted(call, tmp_path) == "interrupted\n-15 -15\n"


@posix
def test_ctrl_c_while_a_handler_swallows_it(tmp_path: Path) -> None:
    """A handler of the program's own that raises nothing lets the search go on."""
    script = """
import c4lab, signal
signal.signal(signal.SIGINT, lambda *_: print("heard", flush=True))
print("begun", flush=True)
try:
    c4lab.Solver("pons-05").solve("", time_limit=1.5)
except c4lab.Stopped as stopped:
    print(stopped.args[0].split(" after")[0])
"""
    process = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True, cwd=tmp_path)
    assert process.stdout is not None and process.stdout.readline() == "begun\n"
    with pytest.raises(subprocess.TimeoutExpired):
        process.wait(0.5)
    process.send_signal(signal.SIGINT)
    out, _ = process.communicate(timeout=60)
    assert out == "heard\ntime limit reached\n"


def test_other_threads_go_on_meanwhile() -> None:
    """Without the interpreter's lock two threads search at once, and a third counts."""
    many = [moves for moves, _ in lines_of("middle-easy")] * 4
    found: list[int] = []
    ends = [threading.Event(), threading.Event()]

    def search(end: threading.Event) -> None:
        found.append(int(c4lab.Solver().solve_many(many, threads=1).nodes.sum()))
        end.set()

    threads = [threading.Thread(target=search, args=(end,)) for end in ends]
    for thread in threads:
        thread.start()
    count = 0
    while not all(end.is_set() for end in ends):
        count += 1
    for thread in threads:
        thread.join()
    assert found[0] == found[1] and count > 1000


def test_one_solver_is_one_search_at_a_time() -> None:
    solver = c4lab.Solver()
    many = [moves for moves, _ in lines_of("middle-easy")] * 10
    begun = threading.Event()

    def search() -> None:
        begun.set()
        solver.solve_many(many, threads=1)

    thread = threading.Thread(target=search)
    thread.start()
    begun.wait()
    said = None
    while thread.is_alive() and said is None:
        try:
            solver.solve("44455554221")
        except RuntimeError as error:
            said = str(error)
    thread.join()
    assert said is not None and "make one for each thread" in said
    assert solver.solve("44455554221") == -15


def solved(moves: str) -> int:
    return c4lab.solve(moves)


@posix
@pytest.mark.parametrize("method", ["fork", "spawn", "forkserver"])
def test_processes_solve_after_the_import(method: str) -> None:
    assert c4lab.solve("44455554221") == -15
    pairs = lines_of("end-easy")[:40]
    with multiprocessing.get_context(method).Pool(2) as pool:
        assert pool.map(solved, [moves for moves, _ in pairs]) == [score for _, score in pairs]


@posix
def test_a_solver_is_fit_in_both_processes_after_a_fork() -> None:
    moves = [moves for moves, _ in lines_of("middle-easy")[:100]]
    solver = c4lab.Solver("pons-12")
    before = solver.solve_many(moves, threads=2)
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reader)
        with os.fdopen(writer, "wb") as out:
            try:
                again = solver.solve_many(moves, threads=2)
                pickle.dump((again.scores.tolist(), again.nodes.tolist()), out)
            except BaseException as error:
                pickle.dump(repr(error), out)
        os._exit(0)
    os.close(writer)
    with os.fdopen(reader, "rb") as answer:
        theirs = pickle.load(answer)
    os.waitpid(child, 0)
    ours = solver.solve_many(moves, threads=2)
    expected = (before.scores.tolist(), before.nodes.tolist())
    assert theirs == expected and (ours.scores.tolist(), ours.nodes.tolist()) == expected


@posix
def test_a_solver_that_searched_in_another_thread_is_fit_after_a_fork() -> None:
    solver = c4lab.Solver(SLOW)
    thread = threading.Thread(target=lambda: pytest.raises(c4lab.Stopped, solver.solve, "", time_limit=3.0))
    thread.start()
    while not solver._search.is_busy:
        pass
    child = os.fork()
    if child == 0:
        os._exit(0 if solver.solve("44455554221") == -15 else 1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    assert thread.is_alive()
    thread.join()
    assert solver.solve("44455554221") == -15


def test_the_module_is_built_for_any_processor() -> None:
    """A wheel runs on the oldest x86-64, and takes the vectors of this one when it starts."""
    import platform

    features = c4lab._native.TARGET_FEATURES.split(",")
    if platform.machine() != "x86_64":
        pytest.skip("not an x86-64 machine")
    assert "sse2" in features and not {"avx", "avx2", "bmi1", "popcnt"}.intersection(features)


def test_what_is_public_says_what_it_is() -> None:
    for name in c4lab.__all__:
        public = getattr(c4lab, name)
        if isinstance(public, (int, str, list)):
            continue
        assert public.__doc__, name
        for method in vars(public) if isinstance(public, type) else ():
            if not method.startswith("_") and callable(getattr(public, method)):
                assert getattr(public, method).__doc__, f"{name}.{method}"


def test_examples_of_docstrings_are_true() -> None:
    import doctest
    import importlib

    names = {"Position": c4lab.Position, "Solver": c4lab.Solver, "variants": c4lab.variants, "c4lab": c4lab}
    count = 0
    for module in ("", ".solver", ".variant", ".batch"):
        found = importlib.import_module(f"c4lab{module}")
        result = doctest.testmod(found, extraglobs=names)
        assert result.failed == 0
        count += result.attempted
    finder = doctest.DocTestFinder()
    for example in finder.find(c4lab.Position, "Position", module=False, globs=dict(names)):
        result = doctest.DocTestRunner().run(example)
        assert result.failed == 0
        count += result.attempted
    assert count >= 10


def test_the_types_of_the_module_are_those_that_it_has(project: Path) -> None:
    """Every name of `_native.pyi` is there, and nothing else is."""
    import ast

    tree = ast.parse((project / "python/c4lab/_native.pyi").read_text(encoding="utf-8"))
    told: dict[str, set[str]] = {}
    for node in tree.body:
        if isinstance(node, ast.ClassDef):
            told[node.name] = {part.name for part in node.body if isinstance(part, ast.FunctionDef)}
        elif isinstance(node, ast.FunctionDef):
            told[node.name] = set()
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            told[node.target.id] = set()
    native = c4lab._native
    assert set(told) == {name for name in vars(native) if not name.startswith("_")}
    for name, methods in told.items():
        if isinstance(getattr(native, name), type) and methods:
            there = {method for method in vars(getattr(native, name)) if not re.fullmatch(r"__\w+__", method)}
            assert {method for method in methods if not method.startswith("__")} == there, name


def test_types_are_consistent(project: Path) -> None:
    pytest.importorskip("mypy")
    words = [sys.executable, "-m", "mypy", "--config-file", "pyproject.toml"]
    checked = subprocess.run(words, cwd=project / "python", capture_output=True, text=True, check=False)
    assert checked.returncode == 0, checked.stdout + checked.stderr
