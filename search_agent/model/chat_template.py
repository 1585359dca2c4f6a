"""ChatTemplate: a conversation to the tokens the model was trained to read.

The template is the GGUF's own Jinja text. Contents are material: a control mark that stands in
them (``<|im_end|>``) is tokenised as plain letters, so that no document can end a turn.
"""

import hashlib
import importlib
import re
from collections.abc import Sequence
from typing import Any

from jinja2 import TemplateError

from search_agent.errors import ModelCallFailed, ModelUnavailable
from search_agent.model.engine import Engine
from search_agent.model.protocol import Message

OPEN, CLOSE = "\ue000", "\ue001"
"""Private-use signs around the number of a control mark, while the template is rendered."""

FIXED_DATE = "26 Jul 2024"
"""Some templates print today's date; the same prompt must give the same tokens tomorrow."""


class ChatTemplate:
    """The rendering rules of one loaded model."""

    def __init__(self, engine: Engine, *, path: str) -> None:
        template = engine.chat_template
        if not template:
            message = f"{path!r} carries no chat template; use an instruction-tuned GGUF"
            raise ModelUnavailable(message)
        self.sha256 = hashlib.sha256(template.encode()).hexdigest()
        self._engine = engine
        self._begin = engine.mark("bos")
        # Untyped on purpose: its annotations are those of OpenAI's messages.
        formats: Any = importlib.import_module("llama_cpp.llama_chat_format")
        self._formatter = formats.Jinja2ChatFormatter(
            template=template, eos_token=engine.mark("eos"), bos_token=self._begin
        )
        self._formatter.strftime_now = lambda _format: FIXED_DATE
        marks = {engine.piece(token, special=True).decode() for token in engine.control_ids}
        self._marks = sorted((m for m in marks if len(m) > 1), key=lambda m: (-len(m), m))
        self._mark_pattern = re.compile("|".join(map(re.escape, self._marks)) or r"(?!)")
        system, user = Message(role="system", content="s"), Message(role="user", content="u")
        self._takes_system = self._accepts([system, user])
        self._takes_repeats = self._accepts([user, user])

    def tokenize(self, messages: Sequence[Message]) -> list[int]:
        """The tokens of the conversation, up to where the assistant's next turn begins.

        Raises:
            ModelCallFailed: the template refuses the order of the roles.
        """
        try:
            rendered = self._render(self._arrange(messages))
        except (ValueError, TemplateError) as error:
            roles = [message.role for message in messages]
            message = f"the model's chat template refuses the turns {roles}: {error}"
            raise ModelCallFailed(message) from error
        begin = self._engine.begin_id
        tokens = [] if begin is None or rendered.startswith(self._begin) else [begin]
        for place, part in enumerate(re.split(f"{OPEN}(\\d+){CLOSE}", rendered)):
            is_mark = place % 2 == 1
            if is_mark and int(part) >= len(self._marks):
                continue  # the private-use signs stood in the text itself
            text = self._marks[int(part)] if is_mark else part
            tokens += self._engine.tokenize(text, special=not is_mark)
        return tokens

    def _arrange(self, messages: Sequence[Message]) -> list[Message]:
        arranged: list[Message] = []
        for message in messages:
            role = message.role
            if role == "system" and not self._takes_system:
                role = "user"
            last = arranged[-1] if arranged else None
            folds = last is not None and last.role == role
            if last is not None and folds and not (self._takes_repeats and self._takes_system):
                arranged[-1] = Message(role=role, content=f"{last.content}\n\n{message.content}")
            else:
                arranged.append(Message(role=role, content=message.content))
        return arranged

    def _render(self, messages: Sequence[Message]) -> str:
        rows = [
            {"role": message.role, "content": self._mark_pattern.sub(self._hide, message.content)}
            for message in messages
        ]
        return str(self._formatter(messages=rows, enable_thinking=False).prompt)

    def _hide(self, match: re.Match[str]) -> str:
        return f"{OPEN}{self._marks.index(match.group())}{CLOSE}"

    def _accepts(self, messages: Sequence[Message]) -> bool:
        try:
            self._render(messages)
        except (ValueError, TemplateError):
            return False
        return True
