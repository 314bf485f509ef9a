"""Media images on request: of page sets by number, or of those with certain queues."""

from collections.abc import Iterator, Sequence

from kew.commands.actions.context import Context


class ImageRefused(Exception):
    """The error of a request for an image of a page set or queue that does not exist; the text names it."""


def chosen(context: Context, numbers: Sequence[int], queues: Sequence[str]) -> list[int]:
    """Give the numbers of the requested page sets and those of the requested queues; without a request, of all."""
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
    """Record an image of each requested page set; gives its number and pages once the image is in the log."""
    for number in chosen(context, numbers, queues):
        yield number, context.operations.record_image(number)
