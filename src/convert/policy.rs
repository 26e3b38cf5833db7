//! Policies: what is written in place of ill-formed sequences.

use crate::convert::{Escape, Replacement};
use crate::unicode::codec::{corrected, incomplete_suffix};
use crate::unicode::{Encoding, Fault, Kind, Variant, cast};

/// What a lossy conversion writes in place of ill-formed sequences.
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
    /// U+FFFD, as many as this behaviour writes. [`Replacement::Whatwg`] is the default.
    Replace(Replacement),
    /// This text, once for each maximal subpart of UTF-8 and each ill-formed unit of UTF-16 and UTF-32. If it is empty, see
    /// [`DropAtTheRiskOfJoining`](Self::DropAtTheRiskOfJoining).
    With(&'a str),
    /// An escape for every code unit, from which it can be recovered or at least recognised.
    Escape(Escape),
    /// Nothing. **This is a security hole** wherever the text is inspected before it is repaired: dropping a sequence may join two
    /// harmless pieces into a harmful one (Unicode Technical Report 36, section 3.5). (In WTF-8 there is a U+FFFD behind a high
    /// surrogate, as the other half of a pair may follow.)
    DropAtTheRiskOfJoining,
    /// Nothing, and nothing for characters that the target has no form for, either: what `iconv -c` does, and `//IGNORE`. (With all
    /// other policies these become question marks, or U+FFFD where the target has that.) **A security hole**, as [`DropAtTheRiskOfJoining`](Self::DropAtTheRiskOfJoining).
    ///
    /// ```
    /// use runecast::{Latin1, Policy, Utf8, transcode_lossy_to_vec};
    ///
    /// let bytes = b"na\xC3\xAFve \xFF\xE2\x82\xAC5";
    /// assert_eq!(transcode_lossy_to_vec::<Utf8, Latin1>(bytes, Policy::Omit), b"na\xEFve 5");
    /// ```
    Omit,
}

impl Policy<'_> {
    /// Whether nothing is written for what is ill-formed.
    #[inline]
    pub(crate) const fn drops(self) -> bool {
        match self {
            Policy::With(text) => text.is_empty(),
            Policy::DropAtTheRiskOfJoining | Policy::Omit => true,
            Policy::Replace(_) | Policy::Escape(_) => false,
        }
    }

    /// How many units at the end of `src` have to wait if more text will follow, because their repair may depend on it:
    /// [`Replacement::incomplete_suffix`] for any policy and encoding. A chunk without them is repaired as it would be within the
    /// whole text.
    ///
    /// `src` must begin at a code unit of the encoding form. Nothing is allocated; it never panics.
    ///
    /// ```
    /// use runecast::{Escape, Policy, Utf8, Utf16, Utf16Le};
    ///
    /// let policy = Policy::from(Escape::Backslash);
    /// assert_eq!(policy.incomplete_suffix::<Utf8>(b"a\xF0\x9F"), 2);
    /// assert_eq!(policy.incomplete_suffix::<Utf16>(&[0x61, 0xD83E]), 1); // a high surrogate
    /// assert_eq!(policy.incomplete_suffix::<Utf16Le>(b"a\0\x3E\xD8\xA8"), 3);
    /// ```
    #[must_use]
    pub fn incomplete_suffix<S: Encoding>(self, src: &[S::Unit]) -> usize {
        match S::VARIANT {
            Variant::CorrectedUtf8 => corrected::incomplete_suffix(cast(src)),
            _ => self.waiting::<S>(src),
        }
    }

    /// The same for a caller that passes over the rest of a reserved sequence itself: at most twelve units.
    #[inline]
    pub(crate) fn waiting<S: Encoding>(self, src: &[S::Unit]) -> usize {
        let open = match (S::VARIANT, self) {
            (Variant::Utf8, Policy::Replace(replacement)) => replacement.open_suffix(cast(src)),
            _ => incomplete_suffix::<S>(src),
        };
        if open == 0 { 0 } else { self.undecided::<S>(&src[src.len() - open..]) }
    }

    /// How much of an open suffix has to wait: it may begin with what is ill-formed whatever follows.
    fn undecided<S: Encoding>(self, mut suffix: &[S::Unit]) -> usize {
        while !suffix.is_empty() {
            let decided = match S::decode(suffix) {
                // A surrogate is one unit by itself if what follows cannot be the other of a pair.
                Ok((_, len)) => match suffix.get(len..) {
                    Some(rest) if !rest.is_empty() && is_ill_formed::<S>(rest) => Some(len),
                    _ => None,
                },
                Err(fault) if fault.kind() == Kind::Incomplete => None,
                Err(fault) => match (S::VARIANT, self) {
                    (Variant::Utf8, Policy::Replace(replacement)) => {
                        replacement.decided(cast(suffix), fault.len())
                    }
                    _ => Some(fault.len()),
                },
            };
            let Some(len) = decided else { break };
            suffix = &suffix[len..];
        }
        suffix.len()
    }

    /// Whether the first thing written for `suffix`, which waits, is the replacement of an ill-formed sequence, whatever follows.
    /// `source` is its encoding, and `decoded` what the codec says. `surrogates` says that a unit of the target can be a surrogate.
    #[inline]
    pub(crate) fn is_replaced(
        self,
        source: Variant,
        suffix: &[u8],
        decoded: Result<(u32, usize), Fault>,
        surrogates: bool,
    ) -> bool {
        match (source, self) {
            (Variant::Utf8, Policy::Replace(replacement)) => {
                matches!(decoded, Err(fault) if fault.kind() != Kind::Incomplete)
                    && !(surrogates && replacement.may_decode(suffix))
            }
            // A low surrogate with no high one before it, whether its last byte follows or not.
            (Variant::Cesu8 { wobbly: false } | Variant::Mutf8 { wobbly: false }, Policy::Replace(_)) => {
                matches!(suffix, [0xED, 0xB0..=0xBF])
            }
            _ => false,
        }
    }

    /// Whether the policy replaces characters of well-formed text: [`Replacement::Perl5`] replaces noncharacters. All other policies
    /// leave a text unchanged that [`validate`](fn@crate::validate) accepts.
    #[must_use]
    #[inline]
    pub const fn refuses_characters(self) -> bool {
        matches!(self, Policy::Replace(Replacement::Perl5))
    }
}

/// Whether `src`, which must not be empty, begins with an ill-formed sequence, whatever follows.
#[inline]
fn is_ill_formed<S: Encoding>(src: &[S::Unit]) -> bool {
    matches!(S::decode(src), Err(fault) if fault.kind() != Kind::Incomplete)
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
