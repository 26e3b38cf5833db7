//! Reserved sequences of more than four GiB.
//!
//! A file of a few MiB, mapped again and again, is a text that is longer than its memory: so this needs hardly any. In chunks it
//! needs none in any case.

use runecast::{CorrectedUtf8, Replacement, Transcoder, Utf8};
#[cfg(all(target_os = "linux", target_pointer_width = "64"))]
use runecast::{Kind, Policy, Validator, validate};

use crate::common::scale::size;

/// A chunk of continuation bytes.
const CHUNK: usize = 1 << 20;

/// Chunk after chunk, a sequence is one error and one replacement, and offsets go on.
#[test]
fn in_chunks() {
    let chunk = vec![0x80; CHUNK];
    // 5 GiB, or less.
    let count = size(5 << 10, 64, 3);
    let offset = 2 + (count * CHUNK) as u64;
    let mut lossy = Transcoder::<CorrectedUtf8, Utf8>::lossy(Replacement::Whatwg);
    let mut strict = Transcoder::<CorrectedUtf8, Utf8>::strict();
    let (mut out, mut text) = (Vec::new(), Vec::new());
    let mut replaced = lossy.push_to_vec(b"a\xFE", &mut out).expect("a policy").replaced;
    strict.push_to_vec(b"a\xFE", &mut text).expect_err("reserved");
    for _ in 0..count {
        replaced += lossy.push_to_vec(&chunk, &mut out).expect("a policy").replaced;
        strict.push_to_vec(&chunk, &mut text).expect("the rest of it");
    }
    assert_eq!((lossy.offset(), strict.offset()), (offset, offset));
    replaced += lossy.push_to_vec(b"b\xFF", &mut out).expect("a policy").replaced;
    assert_eq!((out.as_slice(), replaced), ("a\u{FFFD}b\u{FFFD}".as_bytes(), 2));
    let error = strict.push_to_vec(b"b\xFF", &mut text).expect_err("reserved");
    assert_eq!((text.as_slice(), strict.offset()), (&b"ab"[..], offset + 2), "{error}");
}

/// A text at once, of a little less and a little more than 2^32 bytes.
#[cfg(all(target_os = "linux", target_pointer_width = "64"))]
#[test]
fn at_the_edge_of_32_bits() {
    // Each text takes some seconds.
    let count = size(2, 1, 0);
    if count == 0 {
        println!("skipped: at small scale");
        return;
    }
    let Some(text) = Mapped::new((1 << 32) + (1 << 26)) else {
        println!("skipped: not as much address space");
        return;
    };
    let edge = 1_usize << 32;
    for len in &[edge, edge + 1][..count] {
        let len = *len;
        let error = validate::<CorrectedUtf8>(&text.bytes()[..len]).expect_err("reserved");
        assert_eq!((error.at, error.len, error.kind), (0, len, Kind::Reserved));
        assert_eq!(error.subpart(), [0xFE; 8]);
    }
    if count == 1 {
        return;
    }
    let text = &text.bytes()[..edge + 12];
    let mut out = Vec::new();
    let repaired =
        runecast::transcode_lossy_append::<CorrectedUtf8, Utf8>(text, &mut out, Replacement::Whatwg);
    assert_eq!((repaired.replaced, repaired.first, out.as_slice()), (1, Some(0), "\u{FFFD}".as_bytes()));
    assert_eq!(Policy::default().incomplete_suffix::<CorrectedUtf8>(text), text.len());
    assert_eq!(Validator::<CorrectedUtf8>::new().push(text).map_err(|error| error.len), Err(1));
    assert_eq!(runecast::Scheme::CorrectedUtf8.step(text), text.len());
}

/// Memory that holds the same bytes FE again and again.
#[cfg(all(target_os = "linux", target_pointer_width = "64"))]
struct Mapped {
    at: *mut libc::c_void,
    len: usize,
}

#[cfg(all(target_os = "linux", target_pointer_width = "64"))]
impl Mapped {
    /// The bytes of the file.
    const PIECE: usize = 64 << 20;

    fn new(len: usize) -> Option<Mapped> {
        use std::io::Write as _;
        use std::os::fd::{AsRawFd as _, FromRawFd as _};

        // SAFETY: the name is a string with an end; the descriptor is new, and belongs to the file alone.
        let mut file = unsafe {
            let descriptor = libc::memfd_create(c"reserved".as_ptr(), 0);
            if descriptor < 0 {
                return None;
            }
            std::fs::File::from_raw_fd(descriptor)
        };
        file.write_all(&vec![0xFE; Self::PIECE]).ok()?;
        // SAFETY: addresses are reserved that are free, and nothing but these is mapped again.
        unsafe {
            let none = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE;
            let at = libc::mmap(std::ptr::null_mut(), len, libc::PROT_NONE, none, -1, 0);
            if at == libc::MAP_FAILED {
                return None;
            }
            let mapped = Mapped { at, len };
            for offset in (0..len).step_by(Self::PIECE) {
                let shared = libc::MAP_SHARED | libc::MAP_FIXED;
                let piece = Self::PIECE.min(len - offset);
                let to = libc::mmap(at.byte_add(offset), piece, libc::PROT_READ, shared, file.as_raw_fd(), 0);
                if to == libc::MAP_FAILED {
                    return None;
                }
            }
            Some(mapped)
        }
    }

    fn bytes(&self) -> &[u8] {
        // SAFETY: so many bytes are mapped, and nobody writes to the file any more.
        unsafe { std::slice::from_raw_parts(self.at.cast(), self.len) }
    }
}

#[cfg(all(target_os = "linux", target_pointer_width = "64"))]
impl Drop for Mapped {
    fn drop(&mut self) {
        // SAFETY: nothing borrows the bytes any more.
        unsafe { libc::munmap(self.at, self.len) };
    }
}
