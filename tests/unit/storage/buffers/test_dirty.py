"""The queue of dirty frames: the order in which they became dirty, whatever is cleaned meanwhile."""

from hypothesis import given
from hypothesis import strategies as st

from kew.storage.buffers.dirty import DirtyQueue
from kew.storage.buffers.frame import Frame


@given(st.lists(st.tuples(st.sampled_from(["add", "clean", "other"]), st.integers(0, 199)), max_size=600))
def test_frames_stand_in_the_order_in_which_they_became_dirty(steps: list[tuple[str, int]]) -> None:
    frames = [Frame(slot) for slot in range(200)]
    queues = {False: DirtyQueue(False), True: DirtyQueue(True)}
    models: dict[bool, list[Frame]] = {False: [], True: []}
    for step, number in steps:
        frame = frames[number]
        if step != "clean" and not frame.dirty:
            frame.volatile = step == "other"
            frame.dirty = True
            queues[frame.volatile].add(frame)
            models[frame.volatile].append(frame)
        elif step == "clean" and frame.dirty:
            frame.dirty = False
            queues[frame.volatile].remove()
            models[frame.volatile].remove(frame)
    for volatile, model in models.items():
        queue = queues[volatile]
        assert queue.count == len(model)
        assert queue.oldest(3) == model[:3]
        assert queue.oldest(1000) == model


def test_entries_of_cleaned_frames_do_not_pile_up() -> None:
    queue = DirtyQueue(False)
    stays, comes_and_goes = Frame(0), Frame(1)
    stays.dirty = True
    queue.add(stays)
    for _ in range(10_000):
        comes_and_goes.dirty = True
        queue.add(comes_and_goes)
        comes_and_goes.dirty = False
        queue.remove()
    assert comes_and_goes.turn < 100
    assert queue.oldest(10) == [stays]
