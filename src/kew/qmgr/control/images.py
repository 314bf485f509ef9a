"""Media images on request: of page sets by number, or of those that hold queues."""

from collections.abc import Iterator, Sequence

from kew.commands.actions.context import Context


class ImageRefused(Exception):
    """An image was asked for of something that is not there; the text names it."""


def chosen(context: Context, numbers: Sequence[int], queues: Sequence[str]) -> list[int]:
    """Give the page sets that are meant: those named, and those that hold the queues; all where none is named."""
    engine = context.engine
    found = list(numbers)
    with engine.lock:
        for name in queues:
            queue = engine.queues.by_name.get(name)
            if queue is None:
                raise ImageRefused(f"queue manager {engine.name} has no local queue {name} that can be used")
            found.append(queue.store.page_set.id)
        there = sorted(engine.store.page_sets)
    for number in found:
        if number not in there:
            raise ImageRefused(f"queue manager {engine.name} has no page set {number}")
    return sorted(set(found)) if numbers or queues else there


def record_images(context: Context, numbers: Sequence[int], queues: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Record an image of each page set that is meant; gives each with its pages when it is in the log."""
    for number in chosen(context, numbers, queues):
        if context.record_image is not None:
            yield number, context.record_image(number)
