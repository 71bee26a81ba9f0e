"""The nouns of the flow as frozen records: what is asked, what is answered, what is reported."""

from grader.records.answered import Answer, Census, Fault, Gradients, Graph, Observation, Parts, Sides, Transcript
from grader.records.asked import (
    COMPONENTS,
    Call,
    Component,
    Numbers,
    Probe,
    Property,
    Row,
    Rows,
    Setting,
    Slope,
    StandIns,
    Submission,
)
from grader.records.faults import GraderFault, UsageError
from grader.records.reported import Diagnosis, Environment, Notice, Picture, Report, Result, Status
from grader.records.ungraded import Reason, Ungraded

__all__ = [
    "COMPONENTS",
    "Answer",
    "Call",
    "Census",
    "Component",
    "Diagnosis",
    "Environment",
    "Fault",
    "GraderFault",
    "Gradients",
    "Graph",
    "Notice",
    "Numbers",
    "Observation",
    "Parts",
    "Picture",
    "Probe",
    "Property",
    "Reason",
    "Report",
    "Result",
    "Row",
    "Rows",
    "Setting",
    "Sides",
    "Slope",
    "StandIns",
    "Status",
    "Submission",
    "Transcript",
    "Ungraded",
    "UsageError",
]
