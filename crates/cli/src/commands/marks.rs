//! What `convert` and `repair` do about byte order marks.
//!
//! In plain UTF-16 and UTF-32 a mark tells the byte order and is no part of the text, so it is left out of what is
//! read and put before what is written. In all other encodings it is a character like any other, and is only left
//! out where the target has no form for it. `--bom` overrides this.

use runecast::{Label, Scheme};

use crate::pipeline::route::Route;
use crate::ui::arguments::convert::Bom;
use crate::ui::arguments::encoding::{Assume, Charset, recognize, written};

/// The route of an input that begins with `head`, from what it was said to be to what it is to become.
pub(super) fn route(
    wish: Option<Bom>,
    (source, assume): (Charset, Assume),
    target: Option<Charset>,
    head: &[u8],
) -> Route {
    let (label, decode) = source.parts();
    // In an older encoding the bytes of a mark are letters.
    let head = if decode.is_some() { b"" } else { head };
    let from = recognize(label, head, assume);
    let Some(target) = target else {
        // As it was, with its mark.
        return Route { decode, encode: decode, ..Route::between(from, from) };
    };
    let (to, encode) = target.parts();
    let Marks { skip, write } = Marks::of(wish, (label, from), (to, target.has_mark()), head);
    let skip = if skip { from.mark().len() } else { 0 };
    Route { skip, mark: write, decode, encode, ..Route::between(from, written(to)) }
}

/// What happens to the byte order mark.
#[derive(Debug, Default, PartialEq, Eq)]
struct Marks {
    /// The input has one that is to be left out.
    skip: bool,
    /// The output begins with one, besides what comes from the input.
    write: bool,
}

impl Marks {
    /// For an input that begins with `head`, and is called `source` on the command line and recognised
    /// as `from`.
    fn of(
        wish: Option<Bom>,
        (source, from): (Label, Scheme),
        (target, target_has_mark): (Label, bool),
        head: &[u8],
    ) -> Marks {
        let there = from.is_marked(head);
        match wish {
            Some(Bom::Add) => Marks { skip: there, write: true },
            Some(Bom::Strip) => Marks { skip: there, write: false },
            Some(Bom::Keep) => Marks { skip: false, write: false },
            None if target.is_plain() => Marks { skip: there, write: true },
            None => {
                let meaningless = source.is_plain() || !target_has_mark;
                Marks { skip: there && meaningless, write: false }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_go_by_custom_unless_told_otherwise() {
        let label = |name: &str| name.parse::<Label>().expect("an encoding");
        let marks = |wish, source, target, head: &[u8]| {
            let source = label(source);
            let from = recognize(source, head, Default::default());
            let Marks { skip, write } = Marks::of(
                wish,
                (source, from),
                (label(target), Charset::Unicode(label(target)).has_mark()),
                head,
            );
            (skip, write)
        };
        let (marked, plain) = (b"\xFF\xFEa\0".as_slice(), b"a\0b\0".as_slice());
        let utf8 = b"\xEF\xBB\xBFa".as_slice();
        assert_eq!(marks(None, "utf-16", "utf-8", marked), (true, false));
        assert_eq!(marks(None, "utf-16", "utf-8", plain), (false, false));
        assert_eq!(marks(None, "utf-16", "utf-16", marked), (true, true));
        assert_eq!(marks(None, "utf-16le", "utf-8", marked), (false, false));
        assert_eq!(marks(None, "utf-8", "utf-16", utf8), (true, true));
        assert_eq!(marks(None, "utf-8", "utf-16le", utf8), (false, false));
        assert_eq!(marks(None, "utf-8", "latin1", utf8), (true, false));
        assert_eq!(marks(None, "latin1", "utf-8", b"\xFF\xFE"), (false, false));
        assert_eq!(marks(Some(Bom::Keep), "utf-16", "utf-8", marked), (false, false));
        assert_eq!(marks(Some(Bom::Keep), "utf-8", "utf-16", b"a"), (false, false));
        assert_eq!(marks(Some(Bom::Add), "utf-8", "utf-8", utf8), (true, true));
        assert_eq!(marks(Some(Bom::Add), "utf-8", "utf-8", b"a"), (false, true));
        assert_eq!(marks(Some(Bom::Strip), "utf-8", "utf-8", utf8), (true, false));
        assert_eq!(marks(Some(Bom::Strip), "utf-8", "utf-16", b"a"), (false, false));
    }
}
