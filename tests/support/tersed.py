"""Data sets as AMATERSE packs them: the rules of the writer, with searches in place of tricks."""

from collections.abc import Sequence

MARK = 256
PLACES = range(258, 4096)


def header(version: int, variable: bool, length: int) -> bytes:
    return bytes([version, variable]) + length.to_bytes(2, "big") + b"\x14\x00" + (27998).to_bytes(2, "big") + bytes(4)


def codes_to_bytes(codes: Sequence[int]) -> bytes:
    """Codes of 12 bits, padded as records of 1024 bytes are."""
    bits = "".join(f"{code:012b}" for code in [*codes, 0])
    bits += "0" * (-len(bits) % 8)
    data = int(bits, 2).to_bytes(len(bits) // 8, "big")
    return data + bytes(-(len(data) + 12) % 1024)


def symbols(records: Sequence[bytes], variable: bool) -> list[int]:
    """Bytes, with a mark behind each record of variable length."""
    found: list[int] = []
    for record in records:
        found += [*record, *([MARK] if variable else [])]
    return found


class Pack:
    """PACK: strings in a list by age, the oldest given up."""

    def __init__(self) -> None:
        self.order = list(PLACES)  # the newest first
        self.parent: dict[int, int] = {place: place - 1 for place in PLACES}
        self.parent[258] = 1 + 0x40
        self.added = dict.fromkeys(PLACES, 0x40)

    def string(self, code: int) -> tuple[int, ...]:
        found: list[int] = []
        while code >= 258:
            found.append(self.added[code])
            code = self.parent[code]
        return (code - 1, *reversed(found))

    def compress(self, text: Sequence[int]) -> list[int]:
        codes: list[int] = []
        at = 0
        waiting = 0
        while at < len(text):
            children = {(self.parent[place], self.added[place]): place for place in PLACES if place != waiting}
            code = text[at] + 1
            length = 1
            while at + length < len(text) and (code, text[at + length]) in children:
                code = children[code, text[at + length]]
                length += 1
            if waiting:
                self.added[waiting] = text[at]
            codes.append(code)
            chain = []
            step = code
            free = self.order.pop()
            while step >= 258:
                if step == free:  # the string is given up while it is used: a shorter one will do
                    break
                chain.append(step)
                step = self.parent[step]
            assert step < 258
            for place in chain:
                self.order.remove(place)
            self.order = [*reversed(chain), free, *self.order]
            self.parent[free] = code
            self.added[free] = -1  # not known before the next string
            waiting = free
            at += length
        return codes


class Spack:
    """SPACK: pairs of strings, those in no pair given up by age."""

    def __init__(self) -> None:
        self.pairs: dict[int, tuple[int, int]] = {}
        self.age: list[int] = []  # in no pair, the oldest first
        self.free = list(PLACES)

    def string(self, code: int) -> tuple[int, ...]:
        if code < 258:
            return (code - 1,)
        left, right = self.pairs[code]
        return self.string(left) + self.string(right)

    def compress(self, text: Sequence[int]) -> list[int]:
        codes: list[int] = []
        known: dict[tuple[int, ...], int] = {(symbol,): symbol + 1 for symbol in range(257)}
        at = 0
        while at < len(text):
            if codes and not self.free and at:
                self._give_up(known, codes[-1])
            length = min(max(map(len, known)), len(text) - at)
            while tuple(text[at : at + length]) not in known:
                length -= 1
            code = known[tuple(text[at : at + length])]
            if codes:
                place = self.free.pop(0)
                self.pairs[place] = codes[-1], code
                self.age = [one for one in self.age if one not in (codes[-1], code)]
                self.age.append(place)
                known.setdefault(self.string(place), place)
            codes.append(code)
            at += length
        return codes

    def _give_up(self, known: dict[tuple[int, ...], int], before: int) -> None:
        gone = self.age.pop(0)
        assert gone != before
        if known.get(self.string(gone)) == gone:
            del known[self.string(gone)]
        parts = self.pairs.pop(gone)
        self.free.append(gone)
        for part in dict.fromkeys(parts):
            if part >= 258 and not any(part in pair for pair in self.pairs.values()) and part not in self.age:
                self.age.append(part)
