"""The agent's branch of the error tree (root and drawing in ``corpora.errors``).

AgentError
├─ ConfigError 200009 · QuestionTooLong 200019 · EmptyQuestion 200028 · EgressDenied 200030
├─ ModelError   ModelUnavailable 211200 · ModelHashMismatch 211201 · GrammarInactive 211202
│               ModelCallFailed 211204 · ModelRetriesExhausted 211000 · ContextOverflow 211010
├─ ReplyInvalid InitReply 211006 · Proposals 211004 · ActionReply 211005
├─ BudgetExhausted 211011
├─ RunNotFound
└─ TrajectoryError  TrajectoryCorrupt 211401 · TrajectoryLocked 211402 · ManifestMismatch 211403
                    ReplayDiverged 211404
ToolRejected    told to the model as a tool row, costs a step: UnknownTool 211302
                · ToolNotAllowed 211304 · ToolArguments 211305 · NotInCorpus 211306
"""

from corpora.errors import ResearchError


class AgentError(ResearchError):
    """Something the search agent cannot go on with."""


class ConfigError(AgentError):
    """A setting is unknown, of a wrong type, or impossible beside another."""

    code = 200009


class QuestionTooLong(AgentError):
    """The question leaves no room for evidence in the model's context."""

    code = 200019


class EmptyQuestion(AgentError):
    """There is no question."""

    code = 200028


class EgressDenied(AgentError):
    """A connection that the configuration does not list was attempted."""

    code = 200030


class RunNotFound(AgentError):
    """The run directory, or the citation in it, does not exist."""


class ModelError(AgentError):
    """The language model cannot be used."""


class ModelUnavailable(ModelError):
    """The model file is absent, damaged or cannot be loaded."""

    code = 211200


class ModelHashMismatch(ModelError):
    """The model file's bytes are not those that were asked for."""

    code = 211201


class GrammarInactive(ModelError):
    """The model's replies do not follow the schema they were constrained to."""

    code = 211202


class ModelCallFailed(ModelError):
    """The model broke during a call."""

    code = 211204


class ModelRetriesExhausted(ModelError):
    """Every try of a call failed."""

    code = 211000


class ContextOverflow(ModelError):
    """Prompt and reserved output do not fit the context."""

    code = 211010


class ReplyInvalid(AgentError):
    """No reply of the allowed tries could be used."""


class InitReply(ReplyInvalid):
    """The question could not be read into variables."""

    code = 211006


class Proposals(ReplyInvalid):
    """No usable directions were proposed."""

    code = 211004


class ActionReply(ReplyInvalid):
    """Too many rejected replies in a row within one action."""

    code = 211005


class BudgetExhausted(AgentError):
    """The action's model calls are spent."""

    code = 211011


class TrajectoryError(AgentError):
    """The record of a search cannot be continued or replayed."""


class TrajectoryCorrupt(TrajectoryError):
    """A line of the trajectory is damaged; nothing was changed."""

    code = 211401


class TrajectoryLocked(TrajectoryError):
    """Another process is writing this run directory."""

    code = 211402


class ManifestMismatch(TrajectoryError):
    """Model, index or configuration are not those of the recorded search."""

    code = 211403


class ReplayDiverged(TrajectoryError):
    """A replayed search did something that the recorded one did not."""

    code = 211404


class ToolRejected(Exception):
    """A tool call the model must send differently; becomes a row, never an exit."""

    code = 211305


class UnknownTool(ToolRejected):
    """No tool of this name exists."""

    code = 211302


class ToolNotAllowed(ToolRejected):
    """The tool is not of the family in use."""

    code = 211304


class ToolArguments(ToolRejected):
    """An argument is missing or out of bounds."""

    code = 211305


class NotInCorpus(ToolRejected):
    """The document asked for is not in the corpus; no attempt is made to reach it."""

    code = 211306
