//! Policies: what is written where text is ill-formed.

use crate::convert::Escape;
use crate::unicode::{Encoding, Variant};
use crate::unicode::Kind;
use crate::convert::Replacement;
use crate::unicode::{codec::corrected, is_high};

/// What is written where text is ill-formed.
///
/// Functions take anything that becomes a policy: a [`Replacement`], a text, an [`Escape`].
///
/// ```
/// use runecast::{Escape, Policy, Replacement, Utf8, repair};
///
/// let bytes = b"caf\xE9 \xF0\x9F\xA6";
/// assert_eq!(repair::<Utf8>(bytes, Replacement::Whatwg), "caf\u{FFFD} \u{FFFD}");
/// assert_eq!(repair::<Utf8>(bytes, Replacement::PerByte), "caf\u{FFFD} \u{FFFD}\u{FFFD}\u{FFFD}");
/// assert_eq!(repair::<Utf8>(bytes, "<?>"), "caf<?> <?>");
/// assert_eq!(repair::<Utf8>(bytes, Escape::Backslash), r"caf\xE9 \xF0\x9F\xA6");
/// assert_eq!(repair::<Utf8>(bytes, Escape::Latin1), "café ð\u{9F}¦");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Policy<'a> {
    /// U+FFFD, as many as this behaviour writes.
    Replace(Replacement),
    /// This text, once for each maximal subpart of UTF-8 and each ill-formed unit of UTF-16 and UTF-32.
    With(&'a str),
    /// Every code unit in a form from which it can be told.
    Escape(Escape),
    /// Nothing. **This is a security hole** wherever the text is looked at before it is repaired: what
    /// is dropped may have kept two harmless pieces from joining into a harmful one.
    DropAtTheRiskOfJoining,
}

impl Policy<'_> {
    /// How many units at the end of `src` have to wait if more will follow, since what is made of them
    /// may depend on it: [`Replacement::undecided`], for any policy and encoding. A piece without them
    /// is repaired as it would be in its place in the whole text.
    ///
    /// `src` has to begin where a unit of the encoding does.
    ///
    /// ```
    /// use runecast::{Escape, Policy, Utf8, Utf16, Utf16Le};
    ///
    /// let policy = Policy::from(Escape::Backslash);
    /// assert_eq!(policy.undecided::<Utf8>(b"a\xF0\x9F"), 2);
    /// assert_eq!(policy.undecided::<Utf16>(&[0x61, 0xD83E]), 1); // a high surrogate
    /// assert_eq!(policy.undecided::<Utf16Le>(b"a\0\x3E\xD8\xA8"), 3);
    /// ```
    #[must_use]
    pub fn undecided<S: Encoding>(self, src: &[S::Unit]) -> usize {
        let each = S::VARIANT.unit() / size_of::<S::Unit>();
        match (S::VARIANT, self) {
            (Variant::Ascii | Variant::Latin1, _) => 0,
            (Variant::Utf8, Policy::Replace(replacement)) => replacement.undecided(bytemuck::cast_slice(src)),
            (Variant::Utf8, _) => Replacement::Whatwg.undecided(bytemuck::cast_slice(src)),
            (Variant::CorrectedUtf8, _) => corrected::undecided(bytemuck::cast_slice(src)),
            _ if S::VARIANT.has_leads() => {
                let bytes: &[u8] = bytemuck::cast_slice(src);
                let open = match bytes {
                    // The first of the two bytes of U+0000.
                    [.., 0xC0] if S::VARIANT.hides_nul() => 1,
                    _ => Replacement::Whatwg.undecided(bytes),
                };
                // Behind a high surrogate there may be a low one, or the beginning of it.
                match bytes[..bytes.len() - open] {
                    [.., 0xED, 0xA0..=0xAF, 0x80..=0xBF] if open < 3 => open + 3,
                    _ => open,
                }
            }
            _ => {
                let whole = src.len() / each * each;
                let last = &src[whole.saturating_sub(each)..];
                let waits = |last| match S::decode(last) {
                    // Where it is in order without another behind it.
                    Ok((point, _)) => is_high(point),
                    Err(fault) => fault.kind() == Kind::Incomplete,
                };
                if !last.is_empty() && waits(last) { last.len() } else { src.len() - whole }
            }
        }
    }

    /// Whether well-formed text may be replaced: the noncharacters, by [`Replacement::Perl5`]. For all
    /// other policies a text that [`validate`](crate::validate) passes is its own answer.
    #[must_use]
    #[inline]
    pub const fn refuses_characters(self) -> bool {
        matches!(self, Policy::Replace(Replacement::Perl5))
    }
}

impl Default for Policy<'_> {
    #[inline]
    fn default() -> Self {
        Policy::Replace(Replacement::Whatwg)
    }
}

impl From<Replacement> for Policy<'_> {
    #[inline]
    fn from(replacement: Replacement) -> Self {
        Policy::Replace(replacement)
    }
}

impl<'a> From<&'a str> for Policy<'a> {
    #[inline]
    fn from(text: &'a str) -> Self {
        Policy::With(text)
    }
}

impl From<Escape> for Policy<'_> {
    #[inline]
    fn from(escape: Escape) -> Self {
        Policy::Escape(escape)
    }
}
