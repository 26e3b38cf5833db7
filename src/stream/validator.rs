//! Validation, chunk by chunk, in eight bytes of state.
//!
//! A chunk goes through the kernel as it is. Only what a chunk leaves open waits: the beginning of a
//! character, five units at most in any encoding. With the next chunk these units are joined with a
//! few of its own in a small buffer, the machine judges there what began before the chunk, and the kernel
//! goes on behind it, in the chunk itself. So no rule is written down here, an error is the same however
//! the text was cut, and a text in chunks takes no longer than the calls do.
//!
//! # Eight bytes
//! They hold an offset and the units that wait. A flag for "in the middle of a character" would not do,
//! nor the state of an automaton: an error shows its bytes, and some of them are in a chunk that is gone.
//! Bytes that wait are leads and continuation bytes, of which the two highest bits are known from their
//! place, so that six bits are enough for each; in UTF-16 and UTF-32 it is three bytes at most. In front
//! of them stands a one, which says how many there are. What is left of the 64 bits is the offset.

use core::marker::PhantomData;

use crate::kernel::Engine;
use crate::unicode::codec::incomplete_suffix;
use crate::unicode::{Encoding, IllFormed, Kind, Unit, cast};
use crate::validate::validate_on;

/// Checks a text that comes in chunks.
///
/// The errors are those of [`validate`](crate::validate) of the whole, with the same offsets: found at
/// the earliest unit at which it is certain that there is one, even if the sequence began in a
/// chunk before. Chunks may be cut anywhere, and have any length; an empty one changes nothing.
///
/// A validator is eight bytes, and `Copy`: a copy of it is a place to come back to.
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
/// # Errors in great depth
/// Offsets are exact up to [`MAX_OFFSET`](Self::MAX_OFFSET): 2<sup>45</sup> units in UTF-8, 2<sup>39</sup>
/// in UTF-16 and UTF-32, 2<sup>33</sup> in the encodings around UTF-8 whose characters may have six bytes. Beyond
/// it, an error still is found where it is, but is said to be there.
#[derive(Clone, Copy)]
pub struct Validator<E> {
    /// The offset of the first unit that waits, and below it those units: see [`BITS`](Self::BITS).
    state: u64,
    encoding: PhantomData<E>,
}

/// Units in a buffer in which chunks are joined: those that wait, and at least as many behind them as
/// decide about any character.
const JOINT: usize = 16;

impl<E: Encoding> Validator<E> {
    /// The bits of the state for the units that wait, and the one in front of them.
    const BITS: u32 = match E::VARIANT.has_leads() {
        true => 6 * E::VARIANT.max_incomplete() as u32 + 1,
        false => 8 * E::VARIANT.max_incomplete() as u32 + 1,
    };

    /// The offset up to which errors say where they are.
    pub const MAX_OFFSET: u64 = u64::MAX >> Self::BITS;

    /// At the beginning of a text.
    #[must_use]
    pub const fn new() -> Self {
        Validator { state: 1, encoding: PhantomData }
    }

    #[cfg(feature = "dynamic")]
    /// The state as a number; 0 is the beginning of a text, as 1 is. Whatever the number, it is taken for some
    /// state.
    pub(crate) const fn from_state(state: u64) -> Self {
        let begun = state & ((1 << Self::BITS) - 1) != 0;
        Validator { state: if begun { state } else { state | 1 }, encoding: PhantomData }
    }

    #[cfg(feature = "dynamic")]
    /// The number for it.
    pub(crate) const fn state(self) -> u64 {
        self.state
    }

    /// Checks the next chunk.
    ///
    /// # Errors
    /// The first ill-formed sequence, with its offset in the whole text; it may begin before this chunk.
    /// The validator is then as it was before the call: the chunk has not been taken, and
    /// the same call gives the same error. What is wrong with the text cannot be mended by going on
    /// behind it; but a caller who knows better can go on with another chunk.
    ///
    /// The end of a chunk in the middle of a character is no error.
    #[inline]
    pub fn push(&mut self, chunk: &[E::Unit]) -> Result<(), IllFormed> {
        self.push_with(Engine::current(), chunk)
    }

    /// [`push`](Self::push), with the kernels of this engine.
    ///
    /// # Errors
    /// As there.
    #[inline]
    pub fn push_with(&mut self, engine: Engine, chunk: &[E::Unit]) -> Result<(), IllFormed> {
        if self.waiting() > 0 {
            return self.join(engine, chunk);
        }
        let offset = self.offset();
        match boundary::<E>(engine, chunk) {
            Ok(at) => self.set(offset, at, &chunk[at..]),
            Err(error) => return Err(error.behind(offset)),
        }
        Ok(())
    }

    /// The next chunk, where units of earlier ones wait.
    #[inline(never)]
    fn join(&mut self, engine: Engine, chunk: &[E::Unit]) -> Result<(), IllFormed> {
        let offset = self.offset();
        let mut joint = [E::Unit::of(0); JOINT];
        let waiting = self.unpack(&mut joint);
        let taken = chunk.len().min(JOINT - waiting);
        joint[waiting..waiting + taken].copy_from_slice(&chunk[..taken]);
        let text = &joint[..waiting + taken];
        if taken == chunk.len() {
            let at = boundary::<E>(engine, text).map_err(|error| error.behind(offset))?;
            self.set(offset, at, &text[at..]);
            return Ok(());
        }
        // There is enough behind them for the machine to be certain.
        let mut at = 0;
        while at < waiting {
            match E::decode(&text[at..]) {
                Ok((_, len)) => at += len,
                Err(fault) => return Err(E::error(fault, text, at).behind(offset)),
            }
        }
        let rest = &chunk[at - waiting..];
        let offset = offset.saturating_add(at as u64);
        let at = boundary::<E>(engine, rest).map_err(|error| error.behind(offset))?;
        self.set(offset, at, &rest[at..]);
        Ok(())
    }

    /// Says that there are no more chunks.
    ///
    /// # Errors
    /// If the text ends in the middle of a character: what there is of it, as a [`Kind`](crate::Kind) that is mostly
    /// [`Incomplete`](crate::Kind::Incomplete).
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
        let mut open = [E::Unit::of(0); JOINT];
        let waiting = self.unpack(&mut open);
        let text = &open[..waiting];
        let mut at = 0;
        while at < waiting {
            match E::decode(&text[at..]) {
                Ok((_, len)) => at += len,
                Err(fault) => return Err(E::error(fault, text, at).behind(self.offset())),
            }
        }
        Ok(())
    }

    /// How many units at the end of what was pushed wait for what comes behind them: the beginning of a
    /// character; in encodings that have surrogates by themselves, also a high one.
    #[must_use]
    pub const fn waiting(&self) -> usize {
        let bits = u64::BITS - 1 - (self.state & ((1 << Self::BITS) - 1)).leading_zeros();
        (bits / if E::VARIANT.has_leads() { 6 } else { 8 * size_of::<E::Unit>() as u32 }) as usize
    }

    /// How many units are known to be in order, from the beginning of the text: all that were pushed, but for
    /// those that [wait](Self::waiting). Exact up to [`MAX_OFFSET`](Self::MAX_OFFSET).
    #[must_use]
    pub const fn offset(&self) -> u64 {
        self.state >> Self::BITS
    }

    /// How much of `chunk` can be handed on as text now. `chunk` is what was pushed last; or a longer
    /// buffer that ends with it, in which a caller keeps what could not be handed on before.
    ///
    /// If `chunk` begins where a character does, then what is before the returned index is text. It is 0
    /// for a chunk all of which waits.
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

    /// Writes the units that wait to the start of `room`; returns how many there are.
    fn unpack(&self, room: &mut [E::Unit; JOINT]) -> usize {
        let waiting = self.waiting();
        let bytes: &mut [u8] = Unit::bytes_mut(&mut room[..waiting]);
        let count = bytes.len();
        for (index, byte) in bytes.iter_mut().enumerate() {
            let behind = (count - 1 - index) as u32;
            *byte = if E::VARIANT.has_leads() {
                let bits = |behind: u32| (self.state >> (6 * behind)) as u8 & 0x3F;
                let lead = match index {
                    0 => true,
                    // Behind a surrogate in three bytes there may be the lead of the other one.
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

    /// Takes note that the text is in order up to `at` behind `offset`, and that `open` waits.
    #[inline]
    fn set(&mut self, offset: u64, at: usize, open: &[E::Unit]) {
        let offset = offset.saturating_add(at as u64).min(Self::MAX_OFFSET);
        let open: &[u8] = cast(open);
        let packed = open.iter().fold(1, |packed, byte| match E::VARIANT.has_leads() {
            true => packed << 6 | u64::from(byte & 0x3F),
            false => packed << 8 | u64::from(*byte),
        });
        self.state = offset << Self::BITS | packed;
    }
}

/// How far `text` is in order whatever comes behind it.
#[inline]
fn boundary<E: Encoding>(engine: Engine, text: &[E::Unit]) -> Result<usize, IllFormed> {
    if !E::VARIANT.has_surrogates() {
        // The kernel would stop there anyway, but then it would be an error first.
        let at = text.len() - incomplete_suffix::<E>(text);
        let (decided, open) = text.split_at(at);
        if open.is_empty() || matches!(E::decode(open), Err(fault) if fault.kind() == Kind::Incomplete) {
            match validate_on::<E>(engine, decided) {
                Ok(()) => return Ok(at),
                Err(error) if !error.is_incomplete() => return Err(error),
                Err(_) => {}
            }
        }
    }
    carefully::<E>(engine, text)
}

/// The same, of a text whose end may be wrong, or in order by itself and not with what comes behind it.
#[inline(never)]
fn carefully<E: Encoding>(engine: Engine, text: &[E::Unit]) -> Result<usize, IllFormed> {
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
        let mut open = [E::Unit::of(0); JOINT];
        let waiting = self.unpack(&mut open);
        f.debug_struct("Validator")
            .field("encoding", &E::NAME)
            .field("offset", &self.offset())
            .field("waiting", &&open[..waiting])
            .finish()
    }
}
