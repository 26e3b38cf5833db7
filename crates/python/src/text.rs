//! The memory of a `str`, read and written in place.
//!
//! CPython keeps a string in one, two or four bytes a character, whatever its widest one needs, and these are
//! Latin-1, UTF-16 without surrogates and UTF-32: forms that the library has kernels for. So the fastest way to make a
//! string is to ask for its length and width, let CPython allocate it, and convert into its memory; and the fastest
//! way to read one is to take that memory for what it is.
//!
//! The stable ABI has no word for either. It can make strings by CPython's own decoders, no faster than
//! `bytes.decode`, and of the contents it shows a copy in UTF-8 only. A build for each version of Python would know the
//! layout from its headers, and be one wheel for each. This module takes a third way: it is one wheel for the
//! stable ABI, and **asks the strings themselves**, once, when it is imported:
//!
//! - `PyUnicode_New`, which has been exported with the same signature since Python 3.3, is looked up by
//!   its name;
//! - how far the characters are from the beginning of the object is what `str.__sizeof__` says, less the characters;
//! - width and flags are three adjacent fields in one word, of which only the place differs;
//!   it is searched until strings of all four kinds, made by the stable ABI, are read as what they are;
//! - then strings of all kinds are written, and compared with those made by the stable ABI.
//!
//! If any of that is not as expected, nothing of it is used, and strings are made and read through the stable ABI, as
//! they are on a machine that is not of 64 bits and little-endian, and on Windows, where `PyUnicode_New` would have
//! to be searched in a library whose name depends on the version. `_core.use_layout(False)` asks for that, and the
//! tests run both ways.
//!
//! A string that was just made is written without the GIL: nobody else knows of it yet.

use core::ffi::{c_char, c_int};
use core::mem::MaybeUninit;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

use pyo3::exceptions::PySystemError;
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};
use runecast::{Repertoire, Replacement, Scheme, Utf8};

use crate::input::aside;

/// `PyUnicode_New`.
type New = unsafe extern "C" fn(ffi::Py_ssize_t, u32) -> *mut ffi::PyObject;

/// Where things are in a string.
#[derive(Clone, Copy, Debug)]
struct Layout {
    new: New,
    /// The offset of the characters of a string that is ASCII, and of any other.
    ascii: usize,
    wide: usize,
    /// The place of width and flags in the word at [`STATE`].
    shift: u32,
}

/// The offset of the length, after the count of references and the type; and that of the word with the flags, after
/// the hash.
const LENGTH: usize = 2 * size_of::<usize>();
const STATE: usize = 4 * size_of::<usize>();

static LAYOUT: OnceLock<Option<Layout>> = OnceLock::new();
static USED: AtomicBool = AtomicBool::new(true);

/// The layout, if it is known and wanted.
#[inline]
fn layout() -> Option<&'static Layout> {
    LAYOUT.get()?.as_ref().filter(|_| USED.load(Ordering::Relaxed))
}

/// Finds out about strings. To be called once, when the module is made.
pub(crate) fn prepare(py: Python<'_>) {
    let off = std::env::var_os("RUNECAST_STRING_LAYOUT").is_some_and(|value| value == "off");
    LAYOUT.get_or_init(|| if off { None } else { find(py).ok().flatten() });
}

/// Whether the memory of strings is read and written; and a wish that it be, or not.
pub(crate) fn use_layout(wanted: Option<bool>) -> bool {
    if let Some(wanted) = wanted {
        USED.store(wanted, Ordering::Relaxed);
    }
    layout().is_some()
}

/// The characters of a string.
#[derive(Clone, Copy, Debug)]
pub(crate) enum View<'a> {
    /// All of them up to U+007F.
    Ascii(&'a [u8]),
    /// Up to U+00FF.
    One(&'a [u8]),
    /// Up to U+FFFF; surrogates are characters by themselves here, even where a low one is after a high one.
    Two(&'a [u16]),
    /// Surrogates may be among them.
    Four(&'a [u32]),
}

/// The characters of a string, if the layout is known and the string is of the usual kind: no instance of a subclass.
#[inline]
pub(crate) fn view<'a>(text: &'a Bound<'_, PyString>) -> Option<View<'a>> {
    let layout = layout()?;
    // SAFETY: it is a string, so all strings of its exact type have the layout that was found.
    unsafe {
        if ffi::PyUnicode_CheckExact(text.as_ptr()) == 0 {
            return None;
        }
        layout.view(text.as_ptr())
    }
}

/// The characters of an object, if it is a string of the usual kind, and ASCII.
///
/// # Safety
/// It must be an object, and the GIL held. The characters are there for as long as the object is.
#[inline]
pub(crate) unsafe fn ascii_of<'a>(object: *mut ffi::PyObject) -> Option<&'a [u8]> {
    let layout = layout()?;
    // SAFETY: it is a string, so all strings of its exact type have the layout that was found.
    unsafe {
        if ffi::PyUnicode_CheckExact(object) == 0 {
            return None;
        }
        match layout.view(object) {
            Some(View::Ascii(units)) => Some(units),
            _ => None,
        }
    }
}

impl Layout {
    /// # Safety
    /// `object` must be a `str`, of that exact type, and this its layout (up to [`Layout::wide`] for a trial). It must
    /// outlive the view.
    #[inline]
    unsafe fn view<'a>(&self, object: *mut ffi::PyObject) -> Option<View<'a>> {
        let base = object.cast::<u8>().cast_const();
        // SAFETY: all strings are as long as their head, which has length and flags at these places. They are aligned.
        let (len, state) = unsafe {
            (base.add(LENGTH).cast::<isize>().read(), base.add(STATE).cast::<u32>().read() >> self.shift)
        };
        let len = usize::try_from(len).ok()?;
        let (kind, compact, ascii) = (state & 7, state >> 3 & 1, state >> 4 & 1);
        if compact == 0 {
            return None;
        }
        // SAFETY: after the head of a compact string there are so many characters of that width, which nobody
        // changes; the heads' lengths are multiples of four.
        unsafe {
            let wide = base.add(self.wide);
            Some(match (kind, ascii) {
                (1, 1) => View::Ascii(core::slice::from_raw_parts(base.add(self.ascii), len)),
                (1, _) => View::One(core::slice::from_raw_parts(wide, len)),
                (2, _) => View::Two(core::slice::from_raw_parts(wide.cast(), len)),
                (4, _) => View::Four(core::slice::from_raw_parts(wide.cast(), len)),
                _ => return None,
            })
        }
    }
}

/// A string that has its memory but not its characters yet.
pub(crate) struct Blank<'py> {
    object: Bound<'py, PyAny>,
    data: *mut u8,
    len: usize,
    width: usize,
}

impl<'py> Blank<'py> {
    /// A string of so many characters, or nothing if the layout is not known. `repertoire` must be the smallest one
    /// that holds them: two strings of different widths are never equal.
    #[inline]
    pub(crate) fn new(py: Python<'py>, len: usize, repertoire: Repertoire) -> Option<PyResult<Self>> {
        layout().map(|layout| Blank::of(py, layout, len, repertoire))
    }

    #[inline]
    fn of(py: Python<'py>, layout: &Layout, len: usize, repertoire: Repertoire) -> PyResult<Self> {
        let (greatest, offset) = match repertoire {
            Repertoire::Ascii => (0x7F, layout.ascii),
            Repertoire::Latin1 => (0xFF, layout.wide),
            Repertoire::Bmp => (0xFFFF, layout.wide),
            Repertoire::Unicode => (0x10_FFFF, layout.wide),
        };
        // SAFETY: the function has this signature; what it returns is owned, or null with an error.
        let object = unsafe {
            Bound::from_owned_ptr_or_err(py, (layout.new)(len.try_into().unwrap_or(isize::MAX), greatest))?
        };
        // SAFETY: the characters are within the object; of none, the one empty string is not written to.
        let data = unsafe { object.as_ptr().cast::<u8>().add(offset) };
        Ok(Blank { object, data, len, width: repertoire.width() })
    }

    /// Its memory: bytes of Latin-1, or of UTF-16LE or UTF-32LE, for a layout is known on little-endian machines only.
    #[inline]
    pub(crate) fn bytes(&mut self) -> &mut [MaybeUninit<u8>] {
        // SAFETY: there are so many characters of that width, and nobody else has seen the string yet. (There is one
        // empty string, of which all have a slice of no length.)
        unsafe { core::slice::from_raw_parts_mut(self.data.cast(), self.len * self.width) }
    }

    /// The string, now that all of its characters are written.
    ///
    /// # Safety
    /// All bytes must be initialised, and be characters of the repertoire, one at least of none smaller.
    #[inline]
    pub(crate) unsafe fn finish(self) -> Bound<'py, PyAny> {
        self.object
    }

    /// The string of its first `len` characters, which are written; the rest is cut off.
    ///
    /// # Safety
    /// As for [`finish`](Self::finish), for the characters up to there, and `len` must not be beyond the end.
    pub(crate) unsafe fn finish_first(self, len: usize) -> PyResult<Bound<'py, PyAny>> {
        if len == self.len {
            return Ok(self.object);
        }
        let py = self.object.py();
        let mut object = self.object.into_ptr();
        // SAFETY: the reference is owned and the only one, so that the string may still change. It becomes that of the shorter
        // string, which has a zero behind its characters; what is beyond is never read. On an error it is still the longer one's, or null.
        unsafe {
            let status = ffi::PyUnicode_Resize(&raw mut object, len.try_into().unwrap_or(isize::MAX));
            if status == 0 {
                return Bound::from_owned_ptr_or_err(py, object);
            }
            let error = PyErr::fetch(py);
            ffi::Py_XDECREF(object);
            Err(error)
        }
    }
}

/// A string from UTF-8 that is well-formed or, where `surrogates`, from generalized UTF-8, by CPython's own decoder.
pub(crate) fn by_decoder<'py>(py: Python<'py>, utf8: &[u8], surrogates: bool) -> PyResult<Bound<'py, PyAny>> {
    let errors = if surrogates { c"surrogatepass" } else { c"strict" };
    // SAFETY: the bytes are readable; the result is owned, or null with an error.
    unsafe {
        let text = ffi::PyUnicode_DecodeUTF8(utf8.as_ptr().cast(), utf8.len() as isize, errors.as_ptr());
        Bound::from_owned_ptr_or_err(py, text)
    }
}

/// A string from UTF-32 in native byte order, in which there may be surrogates: in place, or by CPython's own decoder.
pub(crate) fn of_units<'py>(py: Python<'py>, units: &[u8], free: bool) -> PyResult<Bound<'py, PyAny>> {
    let (chunks, _) = units.as_chunks::<4>();
    // The highest bit of all is one of the widest character.
    let bits = aside(py, free, || chunks.iter().fold(0, |bits, unit| bits | u32::from_ne_bytes(*unit)));
    let repertoire = match bits {
        0..=0x7F => Repertoire::Ascii,
        0x80..=0xFF => Repertoire::Latin1,
        0x100..=0xFFFF => Repertoire::Bmp,
        _ => Repertoire::Unicode,
    };
    // A layout is known on little-endian machines only.
    if let Some(blank) = Blank::new(py, units.len() / 4, repertoire) {
        let mut blank = blank?;
        let dst = blank.bytes();
        aside(py, free, || match repertoire {
            Repertoire::Ascii | Repertoire::Latin1 => narrow::<1>(dst, units),
            Repertoire::Bmp => narrow::<2>(dst, units),
            Repertoire::Unicode => copy(dst, units),
        });
        // SAFETY: a character is written for each unit, and the repertoire is that of the widest.
        return Ok(unsafe { blank.finish() });
    }
    let mut order: c_int = if cfg!(target_endian = "big") { 1 } else { -1 };
    // SAFETY: the bytes are readable; the result is owned, or null with an error.
    unsafe {
        let text = ffi::PyUnicode_DecodeUTF32(
            units.as_ptr().cast::<c_char>(),
            units.len() as isize,
            c"surrogatepass".as_ptr(),
            &raw mut order,
        );
        Bound::from_owned_ptr_or_err(py, text)
    }
}

/// The characters of any string in generalized UTF-8, where surrogates have a form.
pub(crate) fn generalized<'py>(text: &Bound<'py, PyString>) -> PyResult<Bound<'py, PyBytes>> {
    // SAFETY: it is a string; the result is owned, or null with an error.
    let bytes = unsafe {
        let bytes =
            ffi::PyUnicode_AsEncodedString(text.as_ptr(), c"utf-8".as_ptr(), c"surrogatepass".as_ptr());
        Bound::from_owned_ptr_or_err(text.py(), bytes)?
    };
    Ok(bytes.cast_into::<PyBytes>()?)
}

/// The characters of any string, one by one, by the stable ABI.
pub(crate) fn characters(text: &Bound<'_, PyString>) -> PyResult<Vec<u32>> {
    let len = text.len()?;
    let mut units = vec![0_u32; len];
    // SAFETY: there is room for so many characters.
    let copied =
        unsafe { ffi::PyUnicode_AsUCS4(text.as_ptr(), units.as_mut_ptr(), len as ffi::Py_ssize_t, 0) };
    if copied.is_null() { Err(PyErr::fetch(text.py())) } else { Ok(units) }
}

#[cfg(all(unix, target_pointer_width = "64", target_endian = "little"))]
fn symbol() -> Option<New> {
    // SAFETY: the name is a C string.
    let address = unsafe { libc::dlsym(libc::RTLD_DEFAULT, c"PyUnicode_New".as_ptr()) };
    // SAFETY: whoever exports this name is CPython, where the function has had this signature since version 3.3.
    (!address.is_null()).then(|| unsafe { core::mem::transmute::<*mut libc::c_void, New>(address) })
}

#[cfg(not(all(unix, target_pointer_width = "64", target_endian = "little")))]
fn symbol() -> Option<New> {
    None
}

/// Characters for the trial: of the repertoire, one at least of none smaller, and no two neighbours the same.
const TRIALS: [(&str, Repertoire); 4] = [
    ("a rune, plain", Repertoire::Ascii),
    ("une r\u{FA}ne", Repertoire::Latin1),
    ("r\u{16B}na \u{16B1}\u{16A2}", Repertoire::Bmp),
    ("\u{1FAA8} r\u{16B}na \u{10FFFF}", Repertoire::Unicode),
];

fn find(py: Python<'_>) -> PyResult<Option<Layout>> {
    let Some(new) = symbol() else { return Ok(None) };
    let samples: Vec<_> =
        TRIALS.iter().map(|(text, _)| by_decoder(py, text.as_bytes(), false)).collect::<PyResult<_>>()?;
    let size = |text: &Bound<'_, PyAny>| text.call_method0("__sizeof__")?.extract::<usize>();
    // Behind the characters there is a zero.
    let head = |index: usize| {
        let (text, repertoire) = TRIALS[index];
        size(&samples[index]).map(|size| size.checked_sub((text.chars().count() + 1) * repertoire.width()))
    };
    let (Some(ascii), Some(wide)) = (head(0)?, head(1)?) else { return Ok(None) };
    let fits = ascii > STATE && ascii <= wide && wide <= 256 && ascii % 8 == 0 && wide % 8 == 0;
    if !fits || head(2)? != Some(wide) || head(3)? != Some(wide) {
        return Ok(None);
    }
    let layouts = (0..32 - 5).map(|shift| Layout { new, ascii, wide, shift });
    let mut right = layouts
        .filter(|layout| samples.iter().zip(TRIALS).all(|(sample, (text, _))| layout.reads(sample, text)));
    let (Some(layout), None) = (right.next(), right.next()) else { return Ok(None) };
    for (sample, (text, repertoire)) in samples.iter().zip(TRIALS) {
        // As long as it will be, and longer.
        let len = text.chars().count();
        for more in [0, 5] {
            let mut blank = Blank::of(py, &layout, len + more, repertoire)?;
            if more == 0 && size(&blank.object)? != size(sample)? {
                return Ok(None);
            }
            let width = repertoire.width();
            for (place, character) in blank.bytes().chunks_mut(width).zip(text.chars()) {
                copy(place, &u32::from(character).to_le_bytes()[..width]);
            }
            // SAFETY: its beginning is filled with the characters of the repertoire.
            let written = unsafe { blank.finish_first(len)? };
            let same = written.eq(sample)? && written.hash()? == sample.hash()?;
            if !same || size(&written)? != size(sample)? {
                return Ok(None);
            }
        }
    }
    Ok(Some(layout))
}

impl Layout {
    /// Whether this string is read as this text. Nothing beyond its head and its characters is looked at.
    fn reads(&self, sample: &Bound<'_, PyAny>, text: &str) -> bool {
        let len = text.chars().count();
        // SAFETY: the head is within the object.
        let found = unsafe { sample.as_ptr().cast::<u8>().add(LENGTH).cast::<isize>().read() };
        if found != len as isize {
            return false;
        }
        // SAFETY: the sample is a string whose size in memory, by its own word, is that of the head and of so many
        // characters of this width; a wrong place of the flags gives another width, which may be too large: so flags
        // are looked at before anything is.
        let state = unsafe { sample.as_ptr().cast::<u8>().add(STATE).cast::<u32>().read() } >> self.shift;
        let width = text.chars().map(|c| match u32::from(c) {
            0..=0xFF => 1,
            0x100..=0xFFFF => 2,
            _ => 4,
        });
        if Some(state & 7) != width.max() || state >> 3 & 1 != 1 || (state >> 4 & 1 == 1) != text.is_ascii() {
            return false;
        }
        // SAFETY: width and length are those of the sample.
        let view = unsafe { self.view(sample.as_ptr()) };
        let is = |units: &mut dyn Iterator<Item = u32>| units.eq(text.chars().map(u32::from));
        match view {
            Some(View::Ascii(units) | View::One(units)) => is(&mut units.iter().map(|unit| u32::from(*unit))),
            Some(View::Two(units)) => is(&mut units.iter().map(|unit| u32::from(*unit))),
            Some(View::Four(units)) => is(&mut units.iter().copied()),
            None => false,
        }
    }
}

/// Copies bytes to where there is room for as many.
#[inline]
pub(crate) fn copy(to: &mut [MaybeUninit<u8>], from: &[u8]) {
    let len = to.len().min(from.len());
    // SAFETY: there are so many bytes on both sides, which cannot overlap, for one of them is borrowed alone.
    unsafe { core::ptr::copy_nonoverlapping(from.as_ptr(), to.as_mut_ptr().cast(), len) }
}

/// The lower bytes of units of UTF-32LE, so many of each.
fn narrow<const WIDTH: usize>(to: &mut [MaybeUninit<u8>], units: &[u8]) {
    let (to, _) = to.as_chunks_mut::<WIDTH>();
    for (to, unit) in to.iter_mut().zip(units.as_chunks::<4>().0) {
        *to = core::array::from_fn(|at| MaybeUninit::new(unit[at]));
    }
}

/// A string from generalized UTF-8 that is well-formed: in place, or by CPython's own decoder.
pub(crate) fn of_generalized<'py>(py: Python<'py>, utf8: &[u8], free: bool) -> PyResult<Bound<'py, PyAny>> {
    // The greatest lead byte is one of the widest character.
    let greatest = aside(py, free, || utf8.iter().fold(0, |greatest, byte| (*byte).max(greatest)));
    let repertoire = match greatest {
        0xF0.. => Repertoire::Unicode,
        0xC4.. => Repertoire::Bmp,
        _ => return by_decoder(py, utf8, true),
    };
    let len = aside(py, free, || runecast::count::<Utf8>(utf8));
    let Some(blank) = Blank::new(py, len, repertoire) else { return by_decoder(py, utf8, true) };
    let mut blank = blank?;
    let dst = blank.bytes();
    let room = dst.len();
    let filled = aside(py, free, || match repertoire {
        Repertoire::Unicode => {
            // Python 2 decoded surrogates, and nothing else is ill-formed.
            let policy = Replacement::Python2;
            let done = Scheme::Utf8.transcode_lossy_uninit(Scheme::Utf32Le, utf8, dst, policy);
            done.is_ok_and(|done| done.replaced == 0 && done.written == room)
        }
        _ => {
            let done = Scheme::GeneralizedUtf8.transcode_partial_uninit(Scheme::Wtf16Le, utf8, dst);
            done.is_ok_and(|done| done.read == utf8.len() && done.written == room)
        }
    });
    if !filled {
        return by_decoder(py, utf8, true);
    }
    // SAFETY: all bytes are written, and the repertoire is the smallest.
    Ok(unsafe { blank.finish() })
}

/// A string from units of UTF-16LE that are no pairs of surrogates, one of them above U+00FF; nothing, if they are not that.
pub(crate) fn of_wtf16<'py>(
    py: Python<'py>,
    units: &[u8],
    free: bool,
) -> Option<PyResult<Bound<'py, PyAny>>> {
    let (values, []) = units.as_chunks::<2>() else { return None };
    let fits = aside(py, free, || {
        let behind = values.get(1..).unwrap_or_default().chunks(1024);
        let pairs = values.chunks(1024).zip(behind).any(|(high, low)| {
            high.iter()
                .zip(low)
                .fold(false, |any, (high, low)| any | ((high[1] & 0xFC == 0xD8) & (low[1] & 0xFC == 0xDC)))
        });
        !pairs && values.chunks(1024).any(|block| block.iter().fold(false, |any, unit| any | (unit[1] > 0)))
    });
    if !fits {
        return None;
    }
    let mut blank = match Blank::new(py, values.len(), Repertoire::Bmp)? {
        Ok(blank) => blank,
        Err(error) => return Some(Err(error)),
    };
    let place = blank.bytes();
    aside(py, free, || copy(place, units));
    // SAFETY: all units are written, and one is above U+00FF. A layout is known on little-endian machines only.
    Some(Ok(unsafe { blank.finish() }))
}

/// A string of ASCII.
#[inline]
pub(crate) fn ascii<'py>(py: Python<'py>, bytes: &[u8], free: bool) -> PyResult<Bound<'py, PyAny>> {
    debug_assert!(bytes.is_ascii());
    // Of each single character CPython keeps one string.
    if bytes.len() == 1 {
        return by_decoder(py, bytes, false);
    }
    match Blank::new(py, bytes.len(), Repertoire::Ascii) {
        Some(blank) => {
            let mut blank = blank?;
            let place = blank.bytes();
            aside(py, free, || copy(place, bytes));
            // SAFETY: all units are written, and ASCII.
            Ok(unsafe { blank.finish() })
        }
        None => by_decoder(py, bytes, false),
    }
}

/// A string of Latin-1 that is not ASCII, or nothing if strings cannot be written.
#[inline]
pub(crate) fn latin1<'py>(py: Python<'py>, bytes: &[u8]) -> Option<PyResult<Bound<'py, PyAny>>> {
    let mut blank = match Blank::new(py, bytes.len(), Repertoire::Latin1)? {
        Ok(blank) => blank,
        Err(error) => return Some(Err(error)),
    };
    copy(blank.bytes(), bytes);
    // SAFETY: all units are written, and not all are ASCII.
    Some(Ok(unsafe { blank.finish() }))
}

/// A short string of ASCII, or nothing if strings cannot be written.
#[inline]
pub(crate) fn short_ascii<'py>(py: Python<'py>, bytes: &[u8]) -> Option<PyResult<Bound<'py, PyAny>>> {
    layout()?;
    Some(ascii(py, bytes, false))
}

/// Bytes of a block, which stay in the first-level cache from one look to the next.
const BLOCK: usize = 8192;

/// A string of ASCII, or nothing if it is none.
///
/// Of a longer text each block is looked at, and then copied, while it is in the cache: to look at all of it before anything
/// is copied would fetch it from memory twice. The price is a string that is thrown away, where the first block is ASCII and
/// another is not.
#[inline]
pub(crate) fn ascii_or_not<'py>(
    py: Python<'py>,
    bytes: &[u8],
    free: bool,
) -> Option<PyResult<Bound<'py, PyAny>>> {
    let (first, _) = bytes.split_at(bytes.len().min(BLOCK));
    if !runecast::is_ascii(first) {
        return None;
    }
    if bytes.len() <= BLOCK {
        return Some(ascii(py, bytes, false));
    }
    let mut blank = match Blank::new(py, bytes.len(), Repertoire::Ascii)? {
        Ok(blank) => blank,
        Err(error) => return Some(Err(error)),
    };
    let place = blank.bytes();
    let is_ascii = aside(py, free, || {
        place.chunks_mut(BLOCK).zip(bytes.chunks(BLOCK)).all(|(to, from)| {
            let is_ascii = runecast::is_ascii(from);
            if is_ascii {
                copy(to, from);
            }
            is_ascii
        })
    });
    // SAFETY: all blocks were ASCII, and so all are written.
    is_ascii.then(|| Ok(unsafe { blank.finish() }))
}

/// Bytes of a length, that have their memory but not their contents yet: these are written by `fill`.
///
/// # Safety
/// `fill` must initialise all of them, or say so with an error.
#[inline]
pub(crate) unsafe fn bytes_with<'py, E: From<PyErr>>(
    py: Python<'py>,
    len: usize,
    fill: impl FnOnce(&mut [MaybeUninit<u8>]) -> Result<(), E>,
) -> Result<Bound<'py, PyBytes>, E> {
    let too_long = || PySystemError::new_err("the result is longer than an object may be");
    let size = ffi::Py_ssize_t::try_from(len).map_err(|_| too_long())?;
    // SAFETY: what is returned is owned, or null with an error; it has so much memory, which nobody else has
    // seen. (There is one empty object, of which the slice has no length.)
    unsafe {
        let object =
            Bound::from_owned_ptr_or_err(py, ffi::PyBytes_FromStringAndSize(core::ptr::null(), size))?;
        let data = ffi::PyBytes_AsString(object.as_ptr());
        fill(core::slice::from_raw_parts_mut(data.cast(), len))?;
        Ok(object.cast_into_unchecked())
    }
}
