"""Page images: what is written comes back, and nothing else is taken for a page."""

from random import Random

import pytest
from tests.support.simdisk import SimDisk

from kew.storage.buffers.frame import Frame
from kew.storage.buffers.pagefile import PageFile, seal
from kew.storage.page import DIRECTORY, PAGE_SIZE
from kew.storage.stall import Damaged


def page_file() -> PageFile:
    return PageFile(7, "/psid07", SimDisk().open("/psid07", create=True))


def image_of(file: PageFile, number: int, text: bytes) -> bytes:
    frame = Frame(0)
    frame.file = file.id
    frame.number = number
    frame.kind = DIRECTORY
    frame.owner = 31
    frame.address = 12345
    frame.data[100 : 100 + len(text)] = text
    return seal(file.image(frame))


def test_a_page_comes_back_with_all_that_is_known_of_it() -> None:
    file = page_file()
    file.file.pwrite(image_of(file, 2, b"text"), 2 * PAGE_SIZE)
    frame = Frame(9)
    file.install(frame, 2, file.read_checked(2))
    assert (frame.file, frame.number, frame.kind, frame.owner, frame.address) == (7, 2, DIRECTORY, 31, 12345)
    assert frame.data[100:104] == b"text"
    assert file.frame(2) is frame
    assert frame.slot == 9


@pytest.mark.parametrize("seed", range(200))
def test_any_bit_that_changes_is_noticed(seed: int) -> None:
    file = page_file()
    image = bytearray(image_of(file, 2, b"text"))
    random = Random(seed)
    image[random.randrange(PAGE_SIZE)] ^= 1 << random.randrange(8)
    assert file.check(2, bytes(image))


def test_a_page_of_another_place_or_page_set_is_not_taken() -> None:
    file = page_file()
    image = image_of(file, 2, b"text")
    assert file.check(2, image) == ""
    assert file.check(3, image) == "holds page 2 of page set 7"
    other = PageFile(8, "/psid08", file.file)
    assert other.check(2, image) == "holds page 2 of page set 7"


def test_an_empty_page_is_no_page() -> None:
    assert page_file().check(2, bytes(PAGE_SIZE)) == "page was never written"


def test_half_a_page_at_the_end_of_the_file_is_no_page() -> None:
    file = page_file()
    file.file.pwrite(image_of(file, 0, b"text") + bytes(100), 0)
    assert len(file.read_pages(0, 5)) == 1
    with pytest.raises(Damaged, match="page 1: the file ends before it"):
        file.read_checked(1)
