"""What may be handed over, threads, memory, and the small functions."""

import array
import gc
import mmap
import pickle
import random
import subprocess
import sys
import tempfile
import threading
import unittest

import runecast
from common import BOUNDARY, TEXTS, BothWays


class Inputs(BothWays):
    def test_buffers(self):
        for text in [*TEXTS, "\u16b1" * 100_000]:
            data = text.encode()
            for made in (bytes, bytearray, memoryview, lambda data: memoryview(bytearray(data)), lambda data: array.array("B", data)):
                self.same(runecast.decode(made(data)), text)
                self.assertTrue(runecast.is_valid(made(data)))
                self.assertEqual(runecast.count(made(data)), len(text))
        self.same(runecast.decode(memoryview(b"..\xe2\x82\xac..")[2:5]), "\u20ac")
        self.same(runecast.decode(memoryview(array.array("H", [0x61, 0x16B1])), "utf-16"), "a\u16b1")
        self.assertRaises(BufferError, runecast.decode, memoryview(b"abcd")[::2])

        class Bytes(bytes):
            pass

        self.same(runecast.decode(Bytes(b"abc")), "abc")

    def test_maps(self):
        with tempfile.TemporaryFile() as file:
            file.write("r\u016bna ".encode() * 50_000)
            file.flush()
            with mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as pages:
                self.same(runecast.decode(pages), "r\u016bna " * 50_000)
                self.assertIsNone(runecast.validate(pages))

    def test_arrays_of_numpy(self):
        try:
            import numpy
        except ImportError:
            self.skipTest("no NumPy")
        data = numpy.frombuffer("r\u016bna".encode(), dtype=numpy.uint8)
        self.same(runecast.decode(data), "r\u016bna")
        self.same(runecast.decode(numpy.array([0x61, 0x16B1], dtype="<u2"), "utf-16-le"), "a\u16b1")

    def test_a_buffer_is_given_back(self):
        data = bytearray(b"abc\xff")
        for call in (runecast.is_valid, runecast.validate, runecast.count, runecast.detect, runecast.repair):
            call(data)
            data.append(0x61)
        self.assertRaises(UnicodeDecodeError, runecast.decode, data)
        data.append(0x61)

    def test_types(self):
        for call in (runecast.decode, runecast.validate, runecast.is_valid, runecast.count, runecast.detect, runecast.repair, runecast.explain):
            for wrong in ("text", None, 1, 1.0, object(), [1]):
                self.assertRaises(TypeError, call, wrong)
        self.assertRaises(TypeError, runecast.transcode, b"", 1, "utf-8")


class Facts(unittest.TestCase):
    def test_validate(self):
        self.assertIsNone(runecast.validate(b"abc"))
        wrong = runecast.validate(b"caf\xe9 noir")
        self.assertEqual((wrong.offset, wrong.length, wrong.end, wrong.kind, wrong.bytes), (3, 1, 4, "truncated", b"\xe9"))
        self.assertEqual(str(wrong), wrong.message)
        self.assertIn(wrong.reason, wrong.message)
        self.assertEqual(wrong, runecast.validate(b"caf\xe9 noir"))
        self.assertEqual(len({wrong, runecast.validate(b"caf\xe9 noir")}), 1)
        self.assertEqual(repr(wrong), "<IllFormed truncated at 3, length 1>")
        self.assertEqual(runecast.validate(b"\xff\xfea\0\0\xd8", "utf-16").offset, 4)
        self.assertEqual(runecast.validate(b"\xff" * 100_000).offset, 0)

    def test_count(self):
        for text in TEXTS:
            for encoding in ("utf-8", "utf-16", "utf-32-be"):
                self.assertEqual(runecast.count(text.encode(encoding), encoding), len(text))

    def test_detect(self):
        found = runecast.detect("tout \xe0 coup, l'\xe9t\xe9".encode("latin-1"))
        self.assertEqual((found.encoding, found.content), ("latin-1", "text"))
        self.assertTrue(0 < found.confidence < 100)
        self.assertIn(found.evidence, str(found))
        self.assertEqual(runecast.detect("r\u016bna \u16b1".encode()).encoding, "utf-8")
        self.assertEqual(runecast.detect(b"\x7fELF\x02\x01\x01\0\0\0").content, "binary")
        self.assertIsNone(runecast.detect(b"\x7fELF\x02\x01\x01\0\0\0").encoding)
        self.assertEqual(runecast.detect("hello, all".encode("utf-16-le")).encoding, "utf-16-le")
        self.assertNotEqual(runecast.detect(b"r\xc5", False).confidence, 0)

    def test_explain(self):
        [stretch] = runecast.explain(b"F\xf0\x80")
        self.assertEqual(stretch["errors"][0]["kind"], "overlong")
        self.assertEqual(stretch["errors"][0]["at"], 1)
        self.assertEqual(len(runecast.explain(b"\xff" + b"a" * 1000 + b"\xff", stretches=1)), 1)
        self.assertEqual(len(runecast.explain(b"\xff" + b"a" * 1000 + b"\xff")), 2)

    def test_transcode(self):
        for text in TEXTS:
            for source in ("utf-8", "utf-16", "utf-32-be"):
                for target in ("utf-8", "utf-16", "utf-16-be", "utf-32-le"):
                    self.assertEqual(runecast.transcode(text.encode(source), source, target), text.encode(target), (source, target))
        with self.assertRaises(UnicodeDecodeError) as caught:
            runecast.transcode(b"a\xff", "utf-8", "utf-16")
        self.assertEqual((caught.exception.start, caught.exception.end), (1, 2))
        self.assertEqual(runecast.transcode(b"a\xff", "utf-8", "utf-16-be", "whatwg"), b"\0a\xff\xfd")
        self.assertEqual(runecast.transcode("\u16b1".encode(), "utf-8", "latin-1", "whatwg"), b"?")
        self.assertRaises(UnicodeDecodeError, runecast.transcode, "\u16b1".encode(), "utf-8", "latin-1")

    def test_repair(self):
        data = "r\u016bna".encode()
        self.assertIs(runecast.repair(data), data)
        self.assertEqual(runecast.repair(bytearray(data)), data)
        self.assertEqual(runecast.repair(b"a\xed\xa0\x80b"), "a\ufffd\ufffd\ufffdb".encode())
        self.assertEqual(runecast.repair(b"a\xed\xa0\x80b", "perl5"), "a\ufffdb".encode())
        self.assertEqual(runecast.repair("\ufdd0".encode(), "perl5"), "\ufffd".encode())
        self.assertEqual(runecast.repair(b"a\xffb", replacement="<?>"), b"a<?>b")
        self.assertEqual(runecast.repair(b"\xff\xfea\0\0\xd8", encoding="utf-16"), b"\xff\xfea\0\xfd\xff")
        self.assertRaises(ValueError, runecast.repair, b"", "strict")
        self.assertRaises(ValueError, runecast.repair, b"", "whatwg", replacement="?")


class Running(BothWays):
    def test_threads(self):
        texts = [("\u16b1\U0001faa8" * 40_000), "a" * 200_000, "\xe9" * 100_000]
        wrong = []

        def work():
            for text in texts * 5:
                data = text.encode()
                if runecast.decode(data) != text or runecast.encode(text) != data or not runecast.is_valid(data):
                    wrong.append(text[:10])

        threads = [threading.Thread(target=work) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(wrong, [])

    def others_run_during(self, work, times):
        """Whether another thread runs while this one works, so many times at most: it may take long to have a core on a busy machine."""
        gate = threading.Lock()
        seen = []

        def watch():
            with gate:
                seen.append(1)

        # With an interval so long, the other thread runs only where the GIL is released.
        before = sys.getswitchinterval()
        sys.setswitchinterval(1000)
        try:
            gate.acquire()
            thread = threading.Thread(target=watch)
            thread.start()
            gate.release()
            for _ in range(times):
                work()
                if seen:
                    break
            ran = bool(seen)
        finally:
            sys.setswitchinterval(before)
            thread.join()
        return ran

    def test_others_run_meanwhile(self):
        data = ("\u16b1\U0001faa8" * 2_000_000).encode()
        text = data.decode()
        utf16 = text.encode("utf-16-le")
        for work in (
            lambda: runecast.is_valid(data),
            lambda: runecast.validate(data),
            lambda: runecast.decode(data),
            # What is converted here is a copy.
            lambda: runecast.decode(bytearray(data)),
            lambda: runecast.decode(utf16, "utf-16-le"),
            lambda: runecast.encode(text),
        ):
            self.assertTrue(self.others_run_during(work, 2000))

    def test_questions_about_a_buffer_see_one_moment_of_it(self):
        data = bytearray(("\u16b1\U0001faa8" * 2_000_000).encode())
        for work in (lambda: runecast.is_valid(data), lambda: runecast.count(memoryview(data))):
            self.assertFalse(self.others_run_during(work, 20))

    def changed_meanwhile(self, view):
        """Decodes a text of ASCII whose last byte others make FF and back meanwhile."""
        for _ in range(60):
            for decode in (runecast.decode, lambda view: runecast.decode(view, "latin-1"), lambda view: runecast.decode(view, "utf-8", "whatwg")):
                try:
                    text = decode(view)
                except UnicodeDecodeError as error:
                    self.assertEqual((error.start, error.object[-1:]), (len(view) - 1, b"\xff"))
                    continue
                # A string that calls itself ASCII has nothing else in it, and the widest character is as wide as all.
                self.assertIn(text[-1], "a\xff\ufffd")
                self.assertEqual(text.isascii(), text[-1] == "a")
                self.assertEqual(hash(text), hash("".join([text[:-1], text[-1]])))
            self.assertIsNone(runecast.validate(runecast.repair(view)))

    def test_a_thread_that_writes(self):
        """A view that cannot be written to, of memory that can."""
        data = bytearray(b"a" * 4_000_000)
        views = [memoryview(data).toreadonly()]
        try:
            import numpy
        except ImportError:
            pass
        else:
            array = numpy.frombuffer(data, dtype=numpy.uint8)
            array.flags.writeable = False
            views.append(array)
        stopped = threading.Event()

        def write():
            while not stopped.is_set():
                data[-1] ^= 0x61 ^ 0xFF

        thread = threading.Thread(target=write)
        before = sys.getswitchinterval()
        sys.setswitchinterval(1e-5)
        thread.start()
        try:
            for view in views:
                self.changed_meanwhile(view)
        finally:
            stopped.set()
            thread.join()
            sys.setswitchinterval(before)

    def test_a_process_that_writes(self):
        """A memory map that another process writes to, whoever holds the GIL here."""
        program = """
import mmap, sys
with open(sys.argv[1], "r+b") as file, mmap.mmap(file.fileno(), 0) as pages:
    print(flush=True)
    try:
        while True:
            pages[-1] ^= 0x61 ^ 0xFF
    except KeyboardInterrupt:
        pass
"""
        with tempfile.NamedTemporaryFile() as file:
            file.write(b"a" * 4_000_000)
            file.flush()
            writer = subprocess.Popen([sys.executable, "-c", program, file.name], stdout=subprocess.PIPE)
            try:
                writer.stdout.readline()
                with mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as pages:
                    self.changed_meanwhile(pages)
                    # Answers are those of some moment.
                    for _ in range(20):
                        wrong = runecast.validate(pages)
                        self.assertIn(wrong and wrong.offset, (None, len(pages) - 1))
                        self.assertEqual(runecast.count(pages), len(pages))
            finally:
                writer.kill()
                writer.communicate()

    def test_pieces(self):
        """Of what is copied in pieces the answers are those of the whole."""
        dice = random.Random(5)
        size = 256 * 1024
        texts = [b"", b"\xff", "\u16b1".encode() * size, bytes(dice.choices(BOUNDARY, k=2 * size + 5))]
        for encoding in ("utf-8", "utf-16", "utf-32", "utf-16-be", "wtf-8", "wtf-16-le", "cesu-8", "mutf-8", "latin-1", "corrected-utf-8"):
            good = runecast.encode("r\u016bna \U0001faa8", encoding, "whatwg")
            # A character is cut by the end of the first piece, and the text ends within another.
            texts.append(good + runecast.encode("a\U0001faa8", encoding, "whatwg") * (size // 4))
            texts.append(texts[-1][:-1])
            for text in texts:
                whole, view = bytes(text), memoryview(bytearray(text))
                note = (encoding, len(text), text[:20])
                self.assertEqual(runecast.count(view, encoding), runecast.count(whole, encoding), note)
                self.assertEqual(runecast.is_valid(view, encoding), runecast.is_valid(whole, encoding), note)
                self.assertEqual(runecast.validate(view, encoding), runecast.validate(whole, encoding), note)
            del texts[4:]
        # A reserved sequence ends where something else begins, however far that is.
        for head, reserved in ((b"a", b"\xfe\x80\x80"), (b"a", b"\xff" * size), (b"\xc0\x80" * (size // 2 - 1) + b"a", b"\xfe\xff\xbf")):
            for tail in (b"", b"b", b"\xff\x80" * size + b"\xfd"):
                text = head + reserved + tail
                found = runecast.validate(bytearray(text), "corrected-utf-8")
                self.assertEqual(found, runecast.validate(text, "corrected-utf-8"))
                self.assertEqual((found.offset, found.end), (len(head), len(text) - (tail[-1:] in (b"b", b"\xfd"))))
                self.assertEqual(pickle.loads(pickle.dumps(found)), found)
        for text in texts:
            view = bytearray(text)
            for all_of_it in (True, False):
                self.assertEqual(str(runecast.detect(view, all_of_it)), str(runecast.detect(text, all_of_it)))
            self.assertEqual(runecast.explain(view, 3), runecast.explain(text, 3))

    def test_names_that_come_and_go(self):
        for number in range(5000):
            name, expected = (("latin-1", "\xc3\xa9"), ("utf-8", "\xe9"), ("ascii", "\ufffd\ufffd"))[number % 3]
            # Another object each time, where another was before.
            name = "".join(list(name))
            self.assertEqual(runecast.decode(b"\xc3\xa9", name, "".join(list("replace"))), expected)

    def test_references(self):
        name = "".join(["utf", "-", "8"])
        handler = "".join(["what", "wg"])
        data, bad, text = b"r\xc5\xabna", b"r\xc5na" + bytes(5), "r\u016bna"
        things = [name, handler, data, bad, text]

        def work():
            runecast.decode(data, name, handler)
            runecast.decode(bad, name, handler)
            runecast.encode(text, name, handler)
            runecast.repair(data)
            runecast.validate(bad)
            runecast.decode(bytearray(bad), name, "backslashreplace")
            for wrong in (lambda: runecast.decode(bad), lambda: runecast.decode(bad, name, None), lambda: runecast.encode("\ud800"), lambda: runecast.decode(data, "utf-7")):
                try:
                    wrong()
                except (UnicodeError, LookupError):
                    pass

        work()
        gc.collect()
        before = [sys.getrefcount(thing) for thing in things]
        for _ in range(1000):
            work()
        gc.collect()
        self.assertEqual([sys.getrefcount(thing) for thing in things], before)

    def test_memory(self):
        import tracemalloc

        data = ("\u16b1" * 1000 + "\xe9").encode()
        broken = data + b"\xff"
        tracemalloc.start()
        try:
            for number in range(600):
                if number == 100:
                    begin = tracemalloc.get_traced_memory()[0]
                runecast.encode(runecast.decode(data))
                runecast.decode(broken, errors="whatwg")
                try:
                    runecast.decode(broken)
                except UnicodeDecodeError:
                    pass
            self.assertLess(tracemalloc.get_traced_memory()[0] - begin, 100_000)
        finally:
            tracemalloc.stop()

    def test_huge(self):
        text = "\U0001faa8 r\xfane " * 3_000_000
        data = text.encode()
        self.same(runecast.decode(data), text)
        self.assertEqual(runecast.encode(text), data)
        self.assertEqual(runecast.count(data), len(text))


if __name__ == "__main__":
    unittest.main()
