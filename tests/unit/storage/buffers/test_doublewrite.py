"""The double-write file: the newest whole image of each page of the last batch."""

from tests.support.simdisk import SimDisk

from kew.storage.buffers.doublewrite import DoubleWrite
from kew.storage.buffers.frame import Frame
from kew.storage.buffers.pagefile import PageFile, seal
from kew.storage.page import DATA, PAGE_SIZE


def image(file: PageFile, number: int, address: int) -> bytes:
    frame = Frame(0)
    frame.number = number
    frame.kind = DATA
    frame.address = address
    return seal(file.image(frame))


def test_images_are_found_by_page_set_and_page() -> None:
    disk = SimDisk()
    double = DoubleWrite(disk, "/double")
    first, second = (PageFile(number, "", disk.open("/p", create=True)) for number in (1, 2))
    images = [image(first, 5, 10), image(second, 5, 20), image(first, 6, 30)]
    double.protect(images)
    assert double.images() == {(1, 5): images[0], (2, 5): images[1], (1, 6): images[2]}


def test_a_batch_is_on_disk_when_protect_returns() -> None:
    disk = SimDisk()
    double = DoubleWrite(disk, "/double")
    disk.sync_directory("/")
    file = PageFile(1, "", disk.open("/p", create=True))
    double.protect([image(file, 5, 10)])
    left = DoubleWrite(disk.crash(keep="none"), "/double")
    assert list(left.images()) == [(1, 5)]


def test_a_torn_image_is_left_out() -> None:
    disk = SimDisk()
    double = DoubleWrite(disk, "/double")
    file = PageFile(1, "", disk.open("/p", create=True))
    double.protect([image(file, 5, 10), image(file, 6, 20)])
    disk.flip("/double", PAGE_SIZE + 2000)
    assert list(double.images()) == [(1, 6)]


def test_the_newest_image_of_a_page_counts() -> None:
    disk = SimDisk()
    double = DoubleWrite(disk, "/double")
    file = PageFile(1, "", disk.open("/p", create=True))
    newer = image(file, 5, 20)
    double.protect([newer, image(file, 5, 10)])
    assert double.images() == {(1, 5): newer}


def test_images_of_older_batches_do_not_count() -> None:
    disk = SimDisk()
    double = DoubleWrite(disk, "/double")
    file = PageFile(1, "", disk.open("/p", create=True))
    double.protect([image(file, number, 10) for number in range(5)])
    double.protect([image(file, 9, 20)])
    assert list(double.images()) == [(1, 9)]


def test_an_empty_file_has_no_images() -> None:
    disk = SimDisk()
    assert DoubleWrite(disk, "/double").images() == {}
    disk.overwrite("/double", bytes(PAGE_SIZE + 17), PAGE_SIZE)
    assert DoubleWrite(disk, "/double").images() == {}
