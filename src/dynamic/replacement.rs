//! What a path writes for ill-formed sequences.
//!
//! The encodings of a path are known at run time only: with a call through a pointer for each character of an escape, escapes took up
//! to 400 times as long as clean text. But the characters of nearly all escapes are one unit in the target, with the same value: all
//! of them in UTF-16 and UTF-32, ASCII in the other encodings. These are encoded here, without a call, and go straight to the output:
//! read back from a buffer in larger pieces than they were written in, they would have to wait until they had left the store queue.
//! The text of a policy is encoded for the first error, and stays in a buffer for the others.

use crate::convert::{self, Policy, put_all};
use crate::dynamic::path::Functions;
use crate::output::OutputCursor;
use crate::unicode::codec::Units;
use crate::unicode::{Order, Variant};

/// Bytes of the buffer for a text.
const ROOM: usize = 128;

/// What is written for the ill-formed sequences of one conversion.
pub(super) struct Replacements<'a> {
    target: &'static Functions,
    source: Variant,
    policy: Policy<'a>,
    substitute: Units<u8>,
    single: SingleUnits,
    bytes: [u8; ROOM],
    /// How many of them are the text of the policy, once it is there.
    text: Option<usize>,
}

impl<'a> Replacements<'a> {
    #[inline]
    pub(super) fn new(source: Variant, target: &'static Functions, policy: Policy<'a>) -> Self {
        let (substitute, single) = (target.substitute(), SingleUnits::of(target.variant));
        Replacements { target, source, policy, substitute, single, bytes: [0; ROOM], text: None }
    }

    /// Writes the target's form of U+FFFD; returns whether there was room.
    #[inline]
    pub(super) fn put_substitute(&self, output: &mut OutputCursor<'_, u8>) -> bool {
        output.put(&self.substitute)
    }

    /// Writes the replacement for an ill-formed sequence, all of it or nothing; returns whether there was room.
    #[inline]
    pub(super) fn put(&mut self, sequence: &[u8], output: &mut OutputCursor<'_, u8>) -> bool {
        match self.policy {
            // (From UTF-8, where the behaviours differ, every conversion is direct.)
            Policy::Replace(_) => self.put_substitute(output),
            Policy::With(text) => self.put_text(text, output),
            Policy::Escape(escape) => {
                let surrogates = convert::holds_surrogates(self.target.variant);
                self.put_points(escape.points(self.source, 1, sequence, surrogates).as_slice(), output)
            }
            Policy::DropAtTheRiskOfJoining | Policy::Omit => true,
        }
    }

    /// Writes the code points of an escape, all or none; returns whether there was room.
    #[inline]
    pub(super) fn put_points(&self, points: &[u16], output: &mut OutputCursor<'_, u8>) -> bool {
        let before = output.written();
        for point in points {
            let fits = match self.single.encode(*point) {
                Some(units) => output.put(&units),
                None => output.put(&self.target.encode_replacement((*point).into())),
            };
            if !fits {
                output.rewind(before);
                return false;
            }
        }
        true
    }

    /// Writes the text of the policy, all of it or nothing; returns whether there was room.
    #[inline]
    fn put_text(&mut self, text: &str, output: &mut OutputCursor<'_, u8>) -> bool {
        // No character has more bytes in any encoding.
        const EACH: usize = 6;
        let mut all = text.chars().map(|point| self.target.encode_replacement(point.into()));
        if text.len() > ROOM / EACH {
            return put_all(all, output);
        }
        let len = *self.text.get_or_insert_with(|| {
            all.try_fold(0, |len, units| {
                let units = units.as_slice();
                self.bytes.get_mut(len..len + units.len())?.copy_from_slice(units);
                Some(len + units.len())
            })
            .unwrap_or_default()
        });
        output.push_first(&self.bytes, len)
    }
}

/// The characters that are one unit of the same value in an encoding.
#[derive(Clone, Copy)]
struct SingleUnits {
    /// They are U+0001 up to this one. (U+0000 has two units in modified UTF-8.)
    last: u16,
    /// The bytes of a unit.
    width: usize,
    order: Order,
}

impl SingleUnits {
    #[inline]
    fn of(target: Variant) -> SingleUnits {
        let order = match target {
            Variant::Utf16(order) | Variant::Wtf16(order) | Variant::Utf32(order) => order,
            _ => Order::Little,
        };
        let width = target.unit();
        SingleUnits { last: if width == 1 { 0x7F } else { u16::MAX }, width, order }
    }

    /// The unit of a code point, if it is one of these.
    #[inline]
    fn encode(self, point: u16) -> Option<Units<u8>> {
        if point == 0 || point > self.last {
            return None;
        }
        let value = match self.order {
            Order::Little => u32::from(point),
            Order::Big => u32::from(point).swap_bytes() >> (32 - 8 * self.width),
        };
        Some(Units::first(self.width, &value.to_le_bytes()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Scheme;
    use crate::dynamic::path::Path;

    /// The codecs know how they are encoded, of which this is a copy.
    #[test]
    fn single_units_are_those_of_the_codecs() {
        for to in Scheme::ALL {
            let target = Path::new(Scheme::Utf16Le, to).target;
            let single = SingleUnits::of(target.variant);
            assert!(single.encode(0).is_none() && single.encode(0x7F).is_some());
            for point in 0..=u16::MAX {
                if let Some(units) = single.encode(point) {
                    let expected = target.encode_replacement(point.into());
                    assert_eq!(units.as_slice(), expected.as_slice(), "{to} {point:X}");
                }
            }
        }
    }
}
