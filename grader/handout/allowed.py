"""Which files of grader/ go out and which stay home, by name: a new file is in neither list until somebody decides."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from grader.records import GraderFault

# By folder, one in a line: what grading one hand-in imports or reads: `grader check` in every format, the face in pytest.
# Pushed as a repository, it is a course: `grader pr` and `grader comment` grade pull requests there.
GRADING: Mapping[str, str] = {
    "": """
        __init__
        __main__
        artifact
        attention_map
        bytecode
        cells
        comment
        compare
        diagnosis
        expectations
        face
        forms
        git
        github_api
        grading
        hints
        isolation
        judging
        messages
        misconceptions
        notices
        own_parts
        pasted
        pictures
        process
        pull_request
        readings
        recorded.json.gz
        recorded_blocks.json.gz
        replies
        rubric
        sandbox
        submission
        watching
        writing
        """,
    "checks/": """
        __init__
        ask_attention
        ask_block
        ask_rows
        causality
        check
        composed
        contract
        draws
        evidence
        founded
        gradient
        heads
        operations
        replay
        shape
        values
        """,
    "cli/": """
        __init__
        check
        comment
        output
        pr
        terminal
        watch
        """,
    "records/": """
        __init__
        answered
        asked
        faults
        reported
        ungraded
        """,
    "render/": """
        __init__
        causes
        changes
        drawing
        github
        gradescope
        html
        json_form
        junit
        markdown
        page.css
        ring
        screen
        terminal
        ungraded
        visible
        words
        """,
    "worker/": """
        __main__
        asking
        composing
        kernel
        landlock
        likeness
        limits
        loading
        printing
        quick
        reading
        seccomp
        slopes
        stand_ins
        trials
        walls
        """,
}
# What Gradescope's machine needs besides.
AUTOGRADER: Mapping[str, str] = {"": "autograder cohort listing roster", "cli/": "gradescope"}
# What an instructor's machine needs besides: classes, audits, records, and this package.
HOME: Mapping[str, str] = {
    "": """
        audit
        class_command
        class_findings
        class_page
        class_results
        classroom
        corpus
        digests
        fingerprints
        flakes
        gradebook
        gradebook_csv
        gradebook_database
        marking
        parallel
        pool
        recollection
        recording
        regrade
        similarity
        store
        tally
        """,
    "cli/": "audit classes handout",
    "handout/": """
        __init__
        allowed
        archive
        autograder/run_autograder
        autograder/setup.sh
        bundle
        gradescope
        hidden
        opening
        proof
        student/Makefile
        student/README.md
        trial
        """,
    "render/": """
        audit_table
        class.css
        class_figures
        class_heat
        class_likeness
        class_page
        class_plots
        class_summary
        class_tables
        """,
}
EXERCISE = ("README.md", "engine.py", "nn.py", "transformer_block.py")


def names(lists: Mapping[str, str]) -> tuple[str, ...]:
    """The files of a list, as paths below grader/; a name without an ending is a module's."""
    each = (folder + word for folder, words in lists.items() for word in words.split())
    whole = ("Makefile", "run_autograder")
    return tuple(sorted(name if "." in name or name.endswith(whole) else f"{name}.py" for name in each))


def files(package: Path, lists: Mapping[str, str]) -> dict[str, bytes]:
    """The listed files of grader/, by their paths in a handout. Raises GraderFault when one is missing."""
    return {f"grader/{name}": content(package / name) for name in names(lists)}


def content(path: Path) -> bytes:
    """A file that must be there. Raises GraderFault when it is not."""
    try:
        return path.read_bytes()
    except OSError as error:
        raise GraderFault(f"{path} cannot be read: {error.strerror}; is the kit whole?") from None
