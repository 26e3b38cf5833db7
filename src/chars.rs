//! Characters one by one, from text in any encoding that may be ill-formed.
//!
//! For parsers that look at each character anyway, and have no room for a text in another encoding. It is the reference codec in a loop, without
//! kernels: who wants all of a text converts it, which is ten to a hundred times as fast.

use core::iter::FusedIterator;
use core::marker::PhantomData;

use crate::convert::Reason;
use crate::unicode::Encoding;

/// The characters of `src`, and the errors between them: an iterator that does not allocate.
///
/// Each ill-formed sequence is one [`Reason::IllFormed`] with its offset and length, and the iterator continues after it. In UTF-8 the
/// sequence is a maximal subpart (Unicode 3.9), so U+FFFD in place of each error is what the Unicode Standard and the WHATWG
/// recommend. Code points that an encoding can represent and `char` cannot, such as surrogates in WTF-8, are a
/// [`Reason::UnrepresentableCodePoint`].
///
/// A byte order mark is a character like any other.
///
/// ```
/// use runecast::{Utf8, Utf16Le, chars};
///
/// let text: Result<String, _> = chars::<Utf16Le>(b"r\0\xFA\0n\0").collect();
/// assert_eq!(text.as_deref(), Ok("rún"));
///
/// let lossy: String = chars::<Utf8>(b"r\xFAn").map(|char| char.unwrap_or('\u{FFFD}')).collect();
/// assert_eq!(lossy, "r\u{FFFD}n");
///
/// let mut rest = chars::<Utf8>("ún".as_bytes());
/// assert_eq!((rest.next(), rest.offset()), (Some(Ok('ú')), 2));
/// ```
#[inline]
pub fn chars<E: Encoding>(src: &[E::Unit]) -> Chars<'_, E> {
    Chars { src, at: 0, encoding: PhantomData }
}

/// An iterator over the characters of a text: see [`chars`].
#[must_use = "iterators do nothing unless they are used"]
pub struct Chars<'a, E: Encoding> {
    src: &'a [E::Unit],
    at: usize,
    encoding: PhantomData<E>,
}

impl<'a, E: Encoding> Chars<'a, E> {
    /// The offset of the next character, in units of the slice: the length of the text at its end.
    #[must_use]
    #[inline]
    pub fn offset(&self) -> usize {
        self.at
    }

    /// The units from the next character on.
    #[must_use]
    #[inline]
    pub fn rest(&self) -> &'a [E::Unit] {
        self.src.get(self.at..).unwrap_or_default()
    }
}

impl<E: Encoding> Iterator for Chars<'_, E> {
    type Item = Result<char, Reason>;

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        let (src, at) = (self.src, self.at);
        if at == src.len() {
            return None;
        }
        Some(match E::decode(&src[at..]) {
            Ok((code_point, len)) => {
                self.at += len;
                char::from_u32(code_point).ok_or(Reason::UnrepresentableCodePoint { at, code_point })
            }
            Err(fault) => {
                let error = E::error(fault, src, at);
                self.at += error.len;
                Err(Reason::IllFormed(error))
            }
        })
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = self.src.len() - self.at;
        (usize::from(left > 0), Some(left))
    }
}

impl<E: Encoding> FusedIterator for Chars<'_, E> {}

impl<E: Encoding> Clone for Chars<'_, E> {
    #[inline]
    fn clone(&self) -> Self {
        Chars { src: self.src, at: self.at, encoding: PhantomData }
    }
}

impl<E: Encoding> core::fmt::Debug for Chars<'_, E> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Chars").field("len", &self.src.len()).field("offset", &self.at).finish()
    }
}
