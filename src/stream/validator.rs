//! Validation, chunk by chunk, in eight bytes of state.
//!
//! A chunk goes to the kernel as it is. Only its incomplete suffix waits: the beginning of a character, at most five units in any
//! encoding. These units are joined with the first units of the next chunk in a small buffer, where the codec decodes the character
//! that began before the chunk; after that character, the kernel continues in the chunk itself. So no rule is repeated here, an
//! error is the same however the text was cut, and a chunk costs no more than the calls.
//!
//! # Eight bytes
//! They hold an offset and the waiting units. A flag "inside a character" would not be enough, nor would the state of an automaton:
//! an error reports its bytes, and some of them may be in a chunk that is gone. Waiting bytes are lead and continuation bytes; the
//! two highest bits of each follow from its position, so six bits per byte suffice. In UTF-16 and UTF-32 at most three bytes wait.
//! A one bit in front of them marks how many there are. The rest of the 64 bits is the offset.

use core::marker::PhantomData;

use crate::kernel::Engine;
use crate::unicode::codec::incomplete_suffix;
use crate::unicode::{Encoding, IllFormed, Kind, Unit, cast};
use crate::validate::validate_on;

/// Checks text that arrives in chunks.
///
/// The errors are those of [`validate`](crate::validate()) for the whole text, with the same offsets; the only difference is that a
/// reserved sequence of Corrected UTF-8 has length 1, as stated for [`IllFormed::len`](crate::IllFormed::len). An error is reported
/// with the first unit that makes it certain, even if the sequence began in an earlier chunk. Chunks may be cut anywhere and have
/// any length; an empty one changes nothing.
///
/// A validator is eight bytes and `Copy`: a copy of it is a state to return to. It never allocates.
///
/// ```
/// use runecast::{Kind, Utf8, Validator};
///
/// let mut validator = Validator::<Utf8>::new();
/// for chunk in [&b"caf\xC3"[..], b"", b"\xA9 \xE0"] {
///     validator.push(chunk)?;
/// }
/// let error = validator.push(b"\x80 and so on").unwrap_err(); // E0 is not followed by 80
/// assert_eq!((error.at, error.len, error.kind), (6, 1, Kind::Overlong));
///
/// validator.push(b"\xA4\xB9")?; // the chunk with the error was not taken
/// validator.finish()?;
/// # Ok::<(), runecast::IllFormed>(())
/// ```
///
/// # Very long texts
/// Offsets are exact up to [`MAX_OFFSET`](Self::MAX_OFFSET): 2<sup>45</sup> units in UTF-8, 2<sup>39</sup> in UTF-16 and
/// UTF-32, 2<sup>33</sup> in the variants of UTF-8 that have surrogates or characters of six bytes. Errors beyond it are still found, but
/// reported near it. (Where pointers have 32 bits, the offset of an error is [`usize::MAX`] at most.)
#[derive(Clone, Copy)]
pub struct Validator<E> {
    /// The offset of the first waiting unit in the high bits, and the waiting units below: see [`BITS`](Self::BITS).
    state: u64,
    encoding: PhantomData<E>,
}

/// The size, in units, of the buffer in which waiting units are joined with those of a chunk: it has room for enough of the latter
/// to decide about any character.
const JOINED_UNITS: usize = 16;

impl<E: Encoding> Validator<E> {
    /// The bits of the state for the waiting units, and the one bit in front of them.
    const BITS: u32 = match E::VARIANT.has_leads() {
        true => 6 * E::VARIANT.max_incomplete() as u32 + 1,
        false => 8 * E::VARIANT.max_incomplete() as u32 + 1,
    };

    /// The greatest offset that is exact.
    pub const MAX_OFFSET: u64 = u64::MAX >> Self::BITS;

    /// A validator at the beginning of a text.
    #[must_use]
    pub const fn new() -> Self {
        Validator { state: 1, encoding: PhantomData }
    }

    /// The validator with this state. 0 is the beginning of a text, and so is 1. Any number is some state.
    #[cfg(feature = "dynamic")]
    pub(crate) const fn from_state(state: u64) -> Self {
        let marked = state & ((1 << Self::BITS) - 1) != 0;
        Validator { state: if marked { state } else { state | 1 }, encoding: PhantomData }
    }

    /// The state, as a number.
    #[cfg(feature = "dynamic")]
    pub(crate) const fn state(self) -> u64 {
        self.state
    }

    /// Checks the next chunk.
    ///
    /// # Errors
    /// The first ill-formed sequence, with its offset in the whole text; it may begin before this chunk. The validator is left
    /// as it was before the call: the chunk counts as not pushed, the same call returns the same error, and another chunk can
    /// be pushed in its place.
    ///
    /// A chunk that ends in the middle of a character is not an error.
    #[inline]
    pub fn push(&mut self, chunk: &[E::Unit]) -> Result<(), IllFormed> {
        self.push_with(Engine::current(), chunk)
    }

    /// As [`push`](Self::push), with the kernels of this engine.
    ///
    /// # Errors
    /// As there.
    #[inline]
    pub fn push_with(&mut self, engine: Engine, chunk: &[E::Unit]) -> Result<(), IllFormed> {
        if self.waiting() > 0 {
            return self.join(engine, chunk);
        }
        let offset = self.offset();
        match complete_prefix::<E>(engine, chunk) {
            Ok(at) => self.set(offset, at, &chunk[at..]),
            Err(error) => return Err(error.in_stream(offset)),
        }
        Ok(())
    }

    /// Checks the next chunk, which follows waiting units.
    #[inline(never)]
    fn join(&mut self, engine: Engine, chunk: &[E::Unit]) -> Result<(), IllFormed> {
        let offset = self.offset();
        let mut joined = [E::Unit::of(0); JOINED_UNITS];
        let waiting = self.unpack(&mut joined);
        let taken = chunk.len().min(JOINED_UNITS - waiting);
        joined[waiting..waiting + taken].copy_from_slice(&chunk[..taken]);
        let text = &joined[..waiting + taken];
        if taken == chunk.len() {
            let at = complete_prefix::<E>(engine, text).map_err(|error| error.in_stream(offset))?;
            self.set(offset, at, &text[at..]);
            return Ok(());
        }
        // Enough follows the waiting units for the codec to be certain.
        let mut at = 0;
        while at < waiting {
            match E::decode(&text[at..]) {
                Ok((_, len)) => at += len,
                Err(fault) => return Err(E::error(fault, text, at).in_stream(offset)),
            }
        }
        let rest = &chunk[at - waiting..];
        let offset = offset.saturating_add(at as u64);
        let at = complete_prefix::<E>(engine, rest).map_err(|error| error.in_stream(offset))?;
        self.set(offset, at, &rest[at..]);
        Ok(())
    }

    /// Ends the text.
    ///
    /// # Errors
    /// If the text ends in the middle of a character. The [`Kind`] is mostly
    /// [`Incomplete`](Kind::Incomplete).
    ///
    /// ```
    /// use runecast::{Utf16, Validator};
    ///
    /// let mut validator = Validator::<Utf16>::new();
    /// validator.push(&[0x61, 0xD83E])?; // a high surrogate
    /// let error = validator.finish().unwrap_err();
    /// assert_eq!((error.at, error.is_incomplete()), (1, true));
    /// # Ok::<(), runecast::IllFormed>(())
    /// ```
    pub fn finish(self) -> Result<(), IllFormed> {
        let mut suffix = [E::Unit::of(0); JOINED_UNITS];
        let waiting = self.unpack(&mut suffix);
        let text = &suffix[..waiting];
        let mut at = 0;
        while at < waiting {
            match E::decode(&text[at..]) {
                Ok((_, len)) => at += len,
                Err(fault) => return Err(E::error(fault, text, at).in_stream(self.offset())),
            }
        }
        Ok(())
    }

    /// How many units at the end of what was pushed wait for the next chunk: the beginning of a character; in encodings that
    /// allow unpaired surrogates, also a high surrogate.
    #[must_use]
    pub const fn waiting(&self) -> usize {
        let bits = u64::BITS - 1 - (self.state & ((1 << Self::BITS) - 1)).leading_zeros();
        (bits / if E::VARIANT.has_leads() { 6 } else { 8 * size_of::<E::Unit>() as u32 }) as usize
    }

    /// How many units, from the beginning of the text, are known to be well-formed: all that were pushed, except those that
    /// are [waiting](Self::waiting). Exact up to [`MAX_OFFSET`](Self::MAX_OFFSET).
    #[must_use]
    pub const fn offset(&self) -> u64 {
        self.state >> Self::BITS
    }

    /// How much of `chunk` can be used as text now. `chunk` is what was pushed last, or a longer buffer that ends with it, in
    /// which a caller keeps what could not be used before.
    ///
    /// If `chunk` begins with a character, then the units before the returned index are well-formed. The index is 0 for a chunk
    /// that waits as a whole.
    ///
    /// ```
    /// use runecast::{Utf8, Validator};
    ///
    /// let mut validator = Validator::<Utf8>::new();
    /// let mut buffer = Vec::new();
    /// let mut texts = Vec::new();
    /// for chunk in [&b"caf\xC3"[..], b"\xA9 no", b"ir\xE2\x82"] {
    ///     validator.push(chunk)?;
    ///     buffer.extend_from_slice(chunk);
    ///     let text: Vec<u8> = buffer.drain(..validator.complete_prefix(&buffer)).collect();
    ///     texts.push(String::from_utf8(text).unwrap());
    /// }
    /// assert_eq!(texts, ["caf", "é no", "ir"]);
    /// # Ok::<(), runecast::IllFormed>(())
    /// ```
    #[must_use]
    pub const fn complete_prefix(&self, chunk: &[E::Unit]) -> usize {
        chunk.len().saturating_sub(self.waiting())
    }

    /// Writes the waiting units to the start of `units`; returns how many there are.
    fn unpack(&self, units: &mut [E::Unit; JOINED_UNITS]) -> usize {
        let waiting = self.waiting();
        let bytes: &mut [u8] = Unit::bytes_mut(&mut units[..waiting]);
        let count = bytes.len();
        for (index, byte) in bytes.iter_mut().enumerate() {
            let behind = (count - 1 - index) as u32;
            *byte = if E::VARIANT.has_leads() {
                let bits = |behind: u32| (self.state >> (6 * behind)) as u8 & 0x3F;
                let lead = match index {
                    0 => true,
                    // After a surrogate in three bytes there may be the lead byte of the second one.
                    3 => bits(count as u32 - 1) < 0x30,
                    _ => false,
                };
                bits(behind) | if lead { 0xC0 } else { 0x80 }
            } else {
                (self.state >> (8 * behind)) as u8
            };
        }
        waiting
    }

    /// Records that the text is well-formed up to `at` units after `offset`, and that `suffix` waits.
    #[inline]
    pub(crate) fn set(&mut self, offset: u64, at: usize, suffix: &[E::Unit]) {
        let offset = offset.saturating_add(at as u64).min(Self::MAX_OFFSET);
        let suffix: &[u8] = cast(suffix);
        let packed = suffix.iter().fold(1, |packed, byte| match E::VARIANT.has_leads() {
            true => packed << 6 | u64::from(byte & 0x3F),
            false => packed << 8 | u64::from(*byte),
        });
        self.state = offset << Self::BITS | packed;
    }
}

/// The length of the prefix of `text` that is well-formed, whatever follows.
#[inline]
fn complete_prefix<E: Encoding>(engine: Engine, text: &[E::Unit]) -> Result<usize, IllFormed> {
    if !E::VARIANT.has_surrogates() {
        // The kernel would stop there anyway, but with an error.
        let at = text.len() - incomplete_suffix::<E>(text);
        let (prefix, suffix) = text.split_at(at);
        if suffix.is_empty() || matches!(E::decode(suffix), Err(fault) if fault.kind() == Kind::Incomplete) {
            match validate_on::<E>(engine, prefix) {
                Ok(()) => return Ok(at),
                Err(error) if !error.is_incomplete() => return Err(error),
                Err(_) => {}
            }
        }
    }
    complete_prefix_slow::<E>(engine, text)
}

/// The same, for text whose end may be ill-formed, or well-formed only as long as nothing follows.
#[inline(never)]
fn complete_prefix_slow<E: Encoding>(engine: Engine, text: &[E::Unit]) -> Result<usize, IllFormed> {
    let at = match validate_on::<E>(engine, text) {
        Ok(()) => text.len(),
        Err(error) if error.is_incomplete() => error.at,
        Err(error) => return Err(error),
    };
    Ok(if E::VARIANT.has_surrogates() { at.min(text.len() - incomplete_suffix::<E>(text)) } else { at })
}

impl<E: Encoding> Default for Validator<E> {
    fn default() -> Self {
        Self::new()
    }
}

impl<E> PartialEq for Validator<E> {
    fn eq(&self, other: &Self) -> bool {
        self.state == other.state
    }
}

impl<E> Eq for Validator<E> {}

impl<E> core::hash::Hash for Validator<E> {
    fn hash<H: core::hash::Hasher>(&self, hasher: &mut H) {
        self.state.hash(hasher);
    }
}

impl<E: Encoding> core::fmt::Debug for Validator<E> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        let mut suffix = [E::Unit::of(0); JOINED_UNITS];
        let waiting = self.unpack(&mut suffix);
        f.debug_struct("Validator")
            .field("encoding", &E::NAME)
            .field("offset", &self.offset())
            .field("waiting", &&suffix[..waiting])
            .finish()
    }
}
