"""The parser of selection strings: MQ's subset of SQL92's conditions.

    selector   := or
    or         := and { OR and }
    and        := not { AND not }
    not        := { NOT } predicate
    predicate  := sum [ comparison sum | [NOT] BETWEEN sum AND sum | [NOT] IN ( text { , text } )
                      | [NOT] LIKE text [ ESCAPE text ] | IS [NOT] NULL ]
    sum        := product { + product | - product }
    product    := sign { * sign | / sign }
    sign       := { + | - } operand
    operand    := literal | name | ( or )

Brackets contain a condition or a value, depending on the operators around the brackets.
"""

from typing import Final

from kew.codes.errors import MQError
from kew.codes.reasons import MQRC_SELECTION_NOT_AVAILABLE
from kew.selection.fields import is_known
from kew.selection.lexer import (
    APPROXIMATE,
    BYTES,
    END,
    EXACT,
    KEYWORD,
    LARGEST_INTEGER,
    NAME,
    SYMBOL,
    TEXT,
    Token,
    refusal,
    tokens_of,
)
from kew.selection.tree import (
    AT_LEAST,
    AT_MOST,
    EQUAL,
    GREATER,
    LESS,
    UNEQUAL,
    And,
    Between,
    Compare,
    Condition,
    In,
    IsNull,
    Like,
    Literal,
    Name,
    Negative,
    Not,
    Or,
    Row,
    Truth,
    Value,
)

DEEPEST: Final = 100  # brackets within each other, and signs and NOTs in a row

_OPERATORS: Final = {"=": EQUAL, "<>": UNEQUAL, "<": LESS, "<=": AT_MOST, ">": GREATER, ">=": AT_LEAST}


def parse(text: str) -> Condition:
    """Parse a selection string; gives its condition."""
    return _Parser(tokens_of(text)).whole()


class _Parser:
    """The parser's state in one selection string."""

    def __init__(self, tokens: list[Token]) -> None:
        self.tokens = tokens
        self.place = 0
        self.depth = 0

    def whole(self) -> Condition:
        """Parse the whole string."""
        condition = self.condition(self.alternatives())
        token = self.tokens[self.place]
        if token.kind != END:
            raise refusal(token.position, f"AND, OR or the end, not {token.text!r}")
        return condition

    # Words.

    def keyword(self, word: str) -> bool:
        """Take a key word if it is the next token; says whether it was."""
        token = self.tokens[self.place]
        if token.kind == KEYWORD and token.text == word:
            self.place += 1
            return True
        return False

    def symbol(self, text: str) -> bool:
        """Take a symbol if it is the next token; says whether it was."""
        token = self.tokens[self.place]
        if token.kind == SYMBOL and token.text == text:
            self.place += 1
            return True
        return False

    def need_symbol(self, text: str) -> None:
        """Take a symbol, which must be the next token."""
        if not self.symbol(text):
            raise refusal(self.tokens[self.place].position, repr(text))

    def need_text(self, what: str) -> str:
        """Take a text in quotes, which must be the next token."""
        token = self.tokens[self.place]
        if token.kind != TEXT:
            raise refusal(token.position, what)
        self.place += 1
        return token.text

    def deeper(self) -> None:
        """Count a level of nesting, and refuse too many."""
        self.depth += 1
        if self.depth > DEEPEST:
            raise refusal(self.tokens[self.place].position, f"at most {DEEPEST} brackets within each other")

    # Conditions. The result of a method may still be a value: `condition` and `value` check which it must be.

    def condition(self, node: Value | Condition) -> Condition:
        """Use a parsed node as a condition; a name or a truth value is one by itself."""
        if isinstance(node, Condition):
            return node
        if isinstance(node, Name) or (isinstance(node, Literal) and isinstance(node.value, bool)):
            return Truth(node)
        raise refusal(self.tokens[self.place].position, "a comparison")

    def value(self, node: Value | Condition, position: int) -> Value:
        """Use a parsed node as a value; `position` is where it is in the string."""
        if isinstance(node, Value):
            return node
        raise refusal(position, "a value, not a condition")

    def alternatives(self) -> Value | Condition:
        """Parse one condition or several with OR between them."""
        first = self.conjunction()
        if not self.keyword("OR"):
            return first
        operands = [self.condition(first), self.condition(self.conjunction())]
        while self.keyword("OR"):
            operands.append(self.condition(self.conjunction()))
        return Or(operands)

    def conjunction(self) -> Value | Condition:
        """Parse one condition or several with AND between them."""
        first = self.negation()
        if not self.keyword("AND"):
            return first
        operands = [self.condition(first), self.condition(self.negation())]
        while self.keyword("AND"):
            operands.append(self.condition(self.negation()))
        return And(operands)

    def negation(self) -> Value | Condition:
        """Parse a condition with any number of NOT before it."""
        if not self.keyword("NOT"):
            return self.predicate()
        self.deeper()
        result = Not(self.condition(self.negation()))
        self.depth -= 1
        return result

    def predicate(self) -> Value | Condition:
        """Parse a value and, if one follows, its comparison or other predicate."""
        start = self.tokens[self.place].position
        left = self.sum()
        token = self.tokens[self.place]
        if token.kind == SYMBOL and token.text in _OPERATORS:
            self.place += 1
            behind = self.tokens[self.place].position
            return self.comparison(token, self.value(left, start), self.value(self.sum(), behind))
        if token.kind != KEYWORD:
            return left
        if self.keyword("IS"):
            negative = self.keyword("NOT")
            if not self.keyword("NULL"):
                raise refusal(self.tokens[self.place].position, "NULL")
            return self.negated(IsNull(self.name(left, token)), negative)
        negative = self.keyword("NOT")
        if self.keyword("BETWEEN"):
            return self.negated(self.between(self.numeric(left, start)), negative)
        if self.keyword("IN"):
            return self.negated(self.among(self.name(left, token)), negative)
        if self.keyword("LIKE"):
            return self.negated(self.like(self.name(left, token)), negative)
        if negative:
            raise refusal(self.tokens[self.place].position, "BETWEEN, IN or LIKE")
        return left

    def negated(self, condition: Condition, negative: bool) -> Condition:
        """Give the negation of a condition if NOT was written."""
        return Not(condition) if negative else condition

    def name(self, node: Value | Condition, token: Token) -> Name:
        """Use a parsed node as a name."""
        if isinstance(node, Name):
            return node
        raise refusal(token.position, f"a name before {token.text}")

    def comparison(self, token: Token, left: Value, right: Value) -> Condition:
        """Make a comparison; texts, bytes and truth values can be compared only for equality."""
        operator = _OPERATORS[token.text]
        for side in (left, right):
            if operator > UNEQUAL and isinstance(side, Literal) and not _is_number(side):
                raise refusal(token.position, "= or <>; only numbers have an order")
        return Compare(operator, left, right)

    def between(self, value: Value) -> Condition:
        """Parse both ends of BETWEEN."""
        start = self.tokens[self.place].position
        low = self.numeric(self.sum(), start)
        if not self.keyword("AND"):
            raise refusal(self.tokens[self.place].position, "AND and the upper end")
        start = self.tokens[self.place].position
        return Between(value, low, self.numeric(self.sum(), start))

    def among(self, name: Name) -> Condition:
        """Parse the list of IN."""
        self.need_symbol("(")
        texts = {self.need_text("a text in single quotes")}
        while self.symbol(","):
            texts.add(self.need_text("a text in single quotes"))
        self.need_symbol(")")
        return In(name, frozenset(texts))

    def like(self, name: Name) -> Condition:
        """Parse the pattern of LIKE."""
        start = self.tokens[self.place].position
        pattern = self.need_text("a pattern in single quotes")
        escape = ""
        if self.keyword("ESCAPE"):
            position = self.tokens[self.place].position
            escape = self.need_text("a character in single quotes")
            if len(escape) != 1:
                raise refusal(position, "one character in single quotes")
        return Like(name, pieces_of(pattern, escape, start))

    # Values.

    def numeric(self, node: Value | Condition, position: int) -> Value:
        """Use a parsed node as a number; other literals are refused, properties are checked in each message."""
        if isinstance(node, Literal) and not _is_number(node):
            raise refusal(position, "a number")
        return self.value(node, position)

    def sum(self) -> Value | Condition:
        """Parse one value or several with + and - between them."""
        start = self.tokens[self.place].position
        return self.row("+", "-", self.product(), start)

    def product(self) -> Value | Condition:
        """Parse one value or several with * and / between them."""
        start = self.tokens[self.place].position
        return self.row("*", "/", self.sign(), start)

    def row(self, one: str, other: str, first: Value | Condition, start: int) -> Value | Condition:
        """Parse the operators of one precedence and their operands that follow a first operand."""
        operators: list[str] = []
        others: list[Value] = []
        while True:
            token = self.tokens[self.place]
            if token.kind != SYMBOL or (token.text != one and token.text != other):
                break
            self.place += 1
            operators.append(token.text)
            behind = self.tokens[self.place].position
            others.append(self.numeric(self.product() if one == "+" else self.sign(), behind))
        return Row(self.numeric(first, start), operators, others) if operators else first

    def sign(self) -> Value | Condition:
        """Parse an operand with any number of signs before it."""
        start = self.tokens[self.place].position
        if self.symbol("+"):
            self.deeper()
            positive = self.numeric(self.sign(), start)
            self.depth -= 1
            return positive if isinstance(positive, Literal) else Row(Literal(0), ["+"], [positive])
        if not self.symbol("-"):
            return self.operand(LARGEST_INTEGER)
        self.deeper()
        token = self.tokens[self.place]
        operand = self.numeric(self.operand(LARGEST_INTEGER + 1) if token.kind == EXACT else self.sign(), start)
        self.depth -= 1
        if isinstance(operand, Literal):
            number = operand.value
            assert isinstance(number, (int, float))
            return Literal(-number)
        return Negative(operand)

    def operand(self, most: int) -> Value | Condition:
        """Parse a literal, a name, or brackets."""
        token = self.tokens[self.place]
        self.place += 1
        if token.kind == TEXT:
            return Literal(token.text)
        if token.kind == BYTES:
            return Literal(token.data)
        if token.kind == EXACT:
            if token.exact > most:
                raise refusal(token.position, "an exact number of 64 bits")
            return Literal(token.exact)
        if token.kind == APPROXIMATE:
            return Literal(token.approximate)
        if token.kind == NAME:
            return Name(_checked(token))
        if token.kind == KEYWORD and token.text in ("TRUE", "FALSE"):
            return Literal(token.text == "TRUE")
        if token.kind == SYMBOL and token.text == "(":
            self.deeper()
            inside = self.alternatives()
            self.need_symbol(")")
            self.depth -= 1
            return inside
        raise refusal(token.position, "a name, a literal or an opening bracket")


def _is_number(literal: Literal) -> bool:
    return isinstance(literal.value, (int, float)) and not isinstance(literal.value, bool)


def _checked(token: Token) -> str:
    """Give the name of a property as it is looked up; the folder `usr` may be written or left out."""
    name = token.text
    if name.startswith(("Root.", "Body.")):
        if not name.startswith("Root.MQMD."):
            # Into the data of a message only a provider of extended selection looks.
            raise MQError(MQRC_SELECTION_NOT_AVAILABLE, position=token.position, name=name)
        if not is_known(name):
            raise refusal(token.position, f"a field of the message descriptor, not {name!r}")
    return name.removeprefix("usr.")


def pieces_of(pattern: str, escape: str, start: int) -> list[list[str | None]]:
    """Cut a pattern at its %; in a piece letters are kept together, and None stands for _."""
    pieces: list[list[str | None]] = [[]]
    run = ""
    place = 0
    while place < len(pattern):
        character = pattern[place]
        literal = False
        if escape and character == escape:
            place += 1
            if pattern[place : place + 1] not in ("%", "_", escape) or place == len(pattern):
                raise refusal(start, f"%, _ or {escape} behind {escape} in the pattern")
            character = pattern[place]
            literal = True
        if literal or character not in "%_":
            run += character
        else:
            if run:
                pieces[-1].append(run)
                run = ""
            if character == "_":
                pieces[-1].append(None)
            else:
                pieces.append([])
        place += 1
    if run:
        pieces[-1].append(run)
    return pieces
