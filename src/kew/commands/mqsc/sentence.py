"""The sentence of a command: its tokens as verb, target, words in parentheses, and keywords.

Errors here do not depend on the meaning of the words; `parser.py` looks the words up.
"""

from kew.commands.mqsc import messages
from kew.commands.mqsc.errors import MQSCError, nearest
from kew.commands.mqsc.grammar import COMMANDS, NOT_THERE, VERBS, CommandSpec, find_verb
from kew.commands.mqsc.lexer import CLOSE, LINE_LIMIT, OPEN, STRING, WORD, Token, tokens
from kew.objects.schema import AttributeSpec


class Item:
    """A keyword with the words between its parentheses; None if it has no parentheses."""

    def __init__(self, keyword: Token, arguments: list[Token] | None, end: int) -> None:
        self.keyword = keyword
        self.arguments = arguments
        self.end = end
        self.spec: AttributeSpec | None = None

    def words(self) -> list[str]:
        """Return the words between the parentheses."""
        return [token.text for token in self.arguments or ()]


class Sentence:
    """The reader of the tokens of a command, from left to right."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.tokens = tokens(text)
        self.next = 0

    def error(
        self,
        message_id: str,
        detail: str,
        start: int,
        end: int,
        *,
        keyword: str = "",
        expected: str = "",
        suggestion: str = "",
    ) -> MQSCError:
        """Give the error for the text between two places."""
        return MQSCError(
            message_id,
            detail,
            keyword=keyword,
            position=start,
            segment=_segment(self.text[:end]),
            expected=expected,
            suggestion=suggestion,
        )

    def ended(self, expected: str) -> MQSCError:
        """Give the error for a command that ends too early."""
        end = len(self.text)
        return self.error(
            messages.UNEXPECTED_END, f"the command ends where {expected} is expected", end, end, expected=expected
        )

    def spec(self) -> CommandSpec:
        """Read verb and target; gives their command in the grammar."""
        if not self.tokens:
            raise self.ended("a verb")
        first = self.tokens[0]
        verb = find_verb(first.text) if first.kind == WORD else ""
        self._there(verb or first.text)
        if not verb:
            error = self.error(
                messages.SYNTAX,
                f"{first.text[:40]} is not a valid command",
                first.start,
                first.end,
                keyword=first.text,
                expected="a verb",
                suggestion=nearest(first.text, VERBS),
            )
            error.verbs = True
            raise error
        targets = COMMANDS[verb]
        self.next = 1
        if "" in targets:
            return targets[""]
        if len(self.tokens) == 1:
            raise self.ended(f"what to {verb}")
        second = self.tokens[1]
        spec = targets.get(second.text) if second.kind == WORD else None
        if spec is None:
            known = tuple(dict.fromkeys([known.target for known in targets.values()]))
            raise self.error(
                messages.SYNTAX,
                f"{verb} does not know {second.text[:40]}; it may be followed by {', '.join(known)}",
                second.start,
                second.end,
                keyword=second.text,
                expected=" or ".join(known),
                suggestion=nearest(second.text, targets),
            )
        if spec.refused:
            raise self.error(
                messages.NO_COMMAND,
                f"{spec.title} is not carried out: {spec.refused}",
                second.start,
                second.end,
                keyword=second.text,
            )
        self.next = 2
        return spec

    def _there(self, verb: str) -> None:
        """Refuse a command of MQ that is known but not supported."""
        if len(self.tokens) > 1:
            second = self.tokens[1]
            why = NOT_THERE.get((verb, second.text))
            if why is not None:
                raise self.error(
                    messages.NO_COMMAND,
                    f"{verb} {second.text} is not carried out: {why}",
                    second.start,
                    second.end,
                    keyword=second.text,
                )

    def arguments(self) -> tuple[list[Token], int]:
        """Read words in parentheses; gives the words, and the offset behind the closing parenthesis."""
        opened = self.tokens[self.next]
        found: list[Token] = []
        for index in range(self.next + 1, len(self.tokens)):
            token = self.tokens[index]
            if token.kind == CLOSE:
                self.next = index + 1
                return found, token.end
            if token.kind == OPEN:
                raise self.error(
                    messages.SYNTAX,
                    "a parenthesis within parentheses; enclose a value that contains one in quotation marks",
                    token.start,
                    token.end,
                    expected="a closing parenthesis",
                )
            found.append(token)
        end = len(self.text)
        raise self.error(
            messages.UNEXPECTED_END,
            f"the parenthesis at column {opened.start + 1} is not closed",
            end,
            end,
            expected="a closing parenthesis",
        )

    def items(self) -> list[Item]:
        """Read the rest: keywords, each with or without parentheses."""
        items: list[Item] = []
        while self.next < len(self.tokens):
            token = self.tokens[self.next]
            if token.kind != WORD:
                what = "a quoted text" if token.kind == STRING else "a parenthesis"
                raise self.error(
                    messages.SYNTAX, f"{what} without a keyword before it", token.start, token.end, expected="a keyword"
                )
            self.next += 1
            if self.next < len(self.tokens) and self.tokens[self.next].kind == OPEN:
                arguments, end = self.arguments()
                items.append(Item(token, arguments, end))
            else:
                items.append(Item(token, None, token.end))
        return items


def _segment(text: str) -> str:
    """Return the end of a command, as much of it as fits in a line."""
    shown = text.strip()
    return shown if len(shown) <= LINE_LIMIT else "…" + shown[-LINE_LIMIT:]
