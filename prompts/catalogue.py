"""One frozen dataclass per prompt file: its variables, typed, and ``render``.

Callers never see a template. A test holds each class equal to its file's variables and pins a
golden rendering, so that a change of wording shows in review.
"""

import functools
import hashlib
import re
from dataclasses import dataclass, fields
from pathlib import Path
from typing import NamedTuple

import jinja2

FOLDER = Path(__file__).parent


class PromptError(Exception):
    """A prompt file is missing (200100) or cannot be rendered (200101): a broken installation."""

    def __init__(self, message: str, *, code: int) -> None:
        super().__init__(f"[{code}] {message}")
        self.code = code


class ToolDoc(NamedTuple):
    """What a model reads about one tool."""

    name: str
    description: str


@functools.cache
def _environment() -> jinja2.Environment:
    return jinja2.Environment(
        loader=jinja2.FileSystemLoader(FOLDER),
        undefined=jinja2.StrictUndefined,
        autoescape=False,  # plain text for a model, not HTML
        trim_blocks=False,
        keep_trailing_newline=False,
    )


class _Prompt:
    """Base of the prompts: the file is the class name in snake_case."""

    __slots__ = ()

    @classmethod
    def file(cls) -> Path:
        """The prompt's words."""
        return FOLDER / (re.sub(r"(?<!^)(?=[A-Z])", "_", cls.__name__).lower() + ".md")

    @classmethod
    def sha256(cls) -> str:
        """Hash of the file, for the trajectory."""
        return hashlib.sha256(cls.file().read_bytes()).hexdigest()

    def render(self) -> str:
        """The words with this prompt's variables.

        Raises:
            PromptError: the file is missing or uses a variable the class lacks.
        """
        variables = {field.name: getattr(self, field.name) for field in fields(self)}  # type: ignore[arg-type]
        try:
            return _environment().get_template(self.file().name).render(variables)
        except jinja2.TemplateNotFound as error:
            message = f"prompt file {self.file().name!r} is missing; reinstall the package"
            raise PromptError(message, code=200100) from error
        except jinja2.TemplateError as error:
            message = f"prompt {self.file().name!r} cannot be rendered: {error}"
            raise PromptError(message, code=200101) from error


@dataclass(frozen=True, slots=True, kw_only=True)
class Shared(_Prompt):
    """Opens every system message, so that all roles share one prefix."""


@dataclass(frozen=True, slots=True, kw_only=True)
class InitializeState(_Prompt):
    """Question → variables and clues."""

    max_variables: int


@dataclass(frozen=True, slots=True, kw_only=True)
class FindAction(_Prompt):
    """State → directions."""

    action_proposals_limit: int


@dataclass(frozen=True, slots=True, kw_only=True)
class RunAction(_Prompt):
    """Direction and evidence → search, state or answer."""

    tools: tuple[ToolDoc, ...]
    clues_section: str
    use_candidate_strength: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class CluesReport(_Prompt):
    """Clue mode report."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CluesBlacklist(_Prompt):
    """Clue mode blacklist."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CluesNone(_Prompt):
    """Clue mode none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionTurn(_Prompt):
    """The user turn of init_state."""

    question: str


@dataclass(frozen=True, slots=True, kw_only=True)
class FindTurn(_Prompt):
    """The user turn of find_action."""

    question: str
    state: str
    eliminations: str
    last_result: str
    explored: tuple[str, ...]
    omitted: int


@dataclass(frozen=True, slots=True, kw_only=True)
class RunTurn(_Prompt):
    """Opens an action; passages and ``ActNow`` follow it."""

    direction: str
    eliminations: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ActNow(_Prompt):
    """Ends each user turn of an action: a small model obeys what stands last.

    ``wanted`` describes the one unknown to find; empty when the question itself is due.
    """

    asked: str
    """The question, or what of it is still open where earlier parts are known."""
    wanted: str
    nearest: str
    """The passages whose words are nearest to what is wanted, fenced; empty if there are none."""
    known: str
    may_answer: bool
    may_search: bool
    with_thought: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplyNow(_Prompt):
    """Ends each user turn of the siblings."""

    question: str
    may_answer: bool
    may_search: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class WrapUp(_Prompt):
    """Ends the last user turn when calls run out."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplyRejected(_Prompt):
    """What was wrong with a reply and what is valid."""

    problems: tuple[str, ...]
    allowed: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class MustAnswer(_Prompt):
    """A state was sent although the candidate is strong enough to answer."""

    candidate: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Support(_Prompt):
    """Do the quotes state the claim? One label token."""

    claim: str
    quotes: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswersQuestion(_Prompt):
    """Do the passages give this answer to this question? One label token."""

    question: str
    answer: str
    passages: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class React(_Prompt):
    """The ReAct sibling."""

    tools: tuple[ToolDoc, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class SingleShot(_Prompt):
    """The single-shot sibling."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ClosedBook(_Prompt):
    """The system message of a model that answers from memory: a benchmark's floor."""


PROMPTS: tuple[type[_Prompt], ...] = (
    Shared,
    InitializeState,
    FindAction,
    RunAction,
    CluesReport,
    CluesBlacklist,
    CluesNone,
    QuestionTurn,
    FindTurn,
    RunTurn,
    ActNow,
    ReplyNow,
    WrapUp,
    ReplyRejected,
    MustAnswer,
    Support,
    AnswersQuestion,
    React,
    SingleShot,
    ClosedBook,
)


def prompt_hashes() -> dict[str, str]:
    """SHA-256 of every prompt file by name, for manifests."""
    return {prompt.file().name: prompt.sha256() for prompt in PROMPTS}
