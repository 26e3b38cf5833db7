//! What a text says of its own encoding: web pages, XML, style sheets, source code, catalogues of translations and mail have places for that.
//!
//! | where | how | by |
//! |---|---|---|
//! | at the start | `<?xml … encoding="NAME"` | XML 1.0, 4.3.3 |
//! | at the start | `@charset "NAME";` | CSS Syntax, 3.2 |
//! | in the first two lines | `coding: NAME`, `coding=NAME` | Python (PEP 263), Ruby, Emacs, Vim |
//! | in a tag `<meta`, but not in a comment | `charset=NAME` | HTML, 13.2.3.2 |
//! | at the start of a line | `Content-Type: …; charset=NAME` | MIME; gettext, where a quote is before it |
//!
//! A name that nobody knows declares nothing: templates have `charset=CHARSET`, and prose may speak of coding. The text is read as
//! ASCII with something between; in UTF-16 and UTF-32 nothing is found, and nothing needs to be.

use memchr::memmem;

/// A text is asked for its encoding within so many bytes; browsers look at 1024.
pub(crate) const HEAD: usize = 4096;

/// What a text says of its encoding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Declaration {
    /// The encoding's name.
    pub(crate) encoding: &'static str,
    /// Where it stands: the offset of what the text calls it.
    pub(crate) at: u64,
}

/// Finds the encoding of a name.
pub(crate) type Named = fn(&str) -> Option<&'static str>;

/// A place in the text, and the name that stands there.
type Found = (usize, &'static str);

/// What the beginning of a text says.
pub(crate) fn declaration(head: &[u8], named: Named) -> Option<Declaration> {
    let head = &head[..head.len().min(HEAD)];
    let start = if head.starts_with(b"\xEF\xBB\xBF") { 3 } else { 0 };
    let (at, encoding) = in_xml(head, start, named)
        .or_else(|| in_style(head, start, named))
        .or_else(|| in_first_lines(head, named))
        .or_else(|| in_page(head, named))
        .or_else(|| in_header(head, named))?;
    Some(Declaration { encoding, at: at as u64 })
}

/// `<?xml version="1.0" encoding="NAME"?>`
fn in_xml(head: &[u8], start: usize, named: Named) -> Option<Found> {
    let inside = start + b"<?xml".len();
    if !head[start..].starts_with(b"<?xml") || !head.get(inside)?.is_ascii_whitespace() {
        return None;
    }
    let end = inside + memmem::find(&head[inside..], b"?>")?;
    value_of(&head[..end], inside, b"encoding", named)
}

/// `@charset "NAME";`, exactly so.
fn in_style(head: &[u8], start: usize, named: Named) -> Option<Found> {
    let rule = b"@charset \"";
    if !head[start..].starts_with(rule) {
        return None;
    }
    let at = start + rule.len();
    let end = name_end(head, at);
    if head[end..].starts_with(b"\";") { name(head, at, named) } else { None }
}

/// `# -*- coding: NAME -*-`, `# vim: set fileencoding=NAME :`, and the like.
fn in_first_lines(head: &[u8], named: Named) -> Option<Found> {
    let end = memchr::memchr_iter(b'\n', head).nth(1).unwrap_or(head.len());
    let lines = &head[..end];
    memmem::find_iter(lines, b"coding").find_map(|word| {
        let at = word + b"coding".len();
        if !matches!(lines.get(at), Some(b':' | b'=')) {
            return None;
        }
        name(lines, blanks_end(lines, at + 1), named)
    })
}

/// `<meta charset="NAME">`, and `<meta http-equiv="Content-Type" content="text/html; charset=NAME">`.
fn in_page(head: &[u8], named: Named) -> Option<Found> {
    let mut at = 0;
    loop {
        at += memchr::memchr(b'<', &head[at..])?;
        let tag = &head[at..];
        if tag.starts_with(b"<!--") {
            // It may end where it begins: <!-->
            at += 2 + memmem::find(&tag[2..], b"-->")?;
        } else if begins_with(tag, b"<meta")
            && tag.get(5).is_some_and(|byte| byte.is_ascii_whitespace() || *byte == b'/')
        {
            let end = at + memchr::memchr(b'>', tag)?;
            let has =
                |word: &[u8]| head[at..end].windows(word.len()).any(|text| text.eq_ignore_ascii_case(word));
            // Descriptions have a content, too.
            if (!has(b"content") || has(b"http-equiv"))
                && let Some((at, encoding)) = value_of(&head[..end], at, b"charset", named)
            {
                // What was found by reading ASCII is not in units of two or four bytes: HTML says to take it for UTF-8.
                let wide = encoding.starts_with("UTF-16") || encoding.starts_with("UTF-32");
                return Some((at, if wide { "UTF-8" } else { encoding }));
            }
            at = end;
        } else {
            at += 1;
        }
    }
}

/// `Content-Type: text/plain; charset=NAME`, perhaps on the next line if that is indented.
fn in_header(head: &[u8], named: Named) -> Option<Found> {
    let field = b"content-type:";
    let starts = std::iter::once(0).chain(memchr::memchr_iter(b'\n', head).map(|line| line + 1));
    starts.into_iter().find_map(|line| {
        let at = line + usize::from(head.get(line) == Some(&b'"'));
        if !begins_with(head.get(at..)?, field) {
            return None;
        }
        let folded = |end: &usize| !matches!(head.get(end + 1), Some(b' ' | b'\t'));
        let end =
            memchr::memchr_iter(b'\n', &head[at..]).map(|end| at + end).find(folded).unwrap_or(head.len());
        value_of(&head[..end], at, b"charset", named)
    })
}

/// The encoding behind `key`, `=` and perhaps a quote, in `text` from `at` on.
fn value_of(text: &[u8], at: usize, key: &[u8], named: Named) -> Option<Found> {
    (at..text.len().saturating_sub(key.len())).filter(|at| begins_with(&text[*at..], key)).find_map(|at| {
        let equals = blanks_end(text, at + key.len());
        if text.get(equals) != Some(&b'=') {
            return None;
        }
        let at = blanks_end(text, equals + 1);
        name(text, at + usize::from(matches!(text.get(at), Some(b'"' | b'\''))), named)
    })
}

/// The encoding whose name stands at `at`.
fn name(text: &[u8], at: usize, named: Named) -> Option<Found> {
    let label = std::str::from_utf8(&text[at.min(text.len())..name_end(text, at)]).ok()?;
    // Emacs says here how lines end, as well.
    let label = ["-unix", "-dos", "-mac"].iter().find_map(|end| label.strip_suffix(end)).unwrap_or(label);
    Some((at, named(label)?))
}

/// Where the name that begins at `at` ends.
fn name_end(text: &[u8], at: usize) -> usize {
    end_of(text, at, |byte| byte.is_ascii_alphanumeric() || b"-_.:".contains(&byte))
}

/// Where spaces and tabs from `at` on end, and in tags lines.
fn blanks_end(text: &[u8], at: usize) -> usize {
    end_of(text, at, |byte| byte.is_ascii_whitespace())
}

/// Where `of` ends to be true.
fn end_of(text: &[u8], at: usize, of: impl Fn(u8) -> bool) -> usize {
    let rest = text.get(at..).unwrap_or_default();
    at.min(text.len()) + rest.iter().take_while(|byte| of(**byte)).count()
}

/// Whether a text begins with this, in capitals or not.
fn begins_with(text: &[u8], start: &[u8]) -> bool {
    text.get(..start.len()).is_some_and(|text| text.eq_ignore_ascii_case(start))
}

#[cfg(test)]
mod tests {
    use super::{Declaration, HEAD, declaration};
    use encoding_rs::Encoding;

    fn named(label: &str) -> Option<&'static str> {
        Encoding::for_label(label.as_bytes()).map(Encoding::name)
    }

    fn found(text: &str) -> Option<(&'static str, u64)> {
        declaration(text.as_bytes(), named).map(|Declaration { encoding, at }| (encoding, at))
    }

    #[test]
    fn declarations_of_each_kind() {
        for (text, encoding, label) in [
            ("<?xml version=\"1.0\" encoding=\"windows-1251\"?>", "windows-1251", "windows"),
            ("\u{FEFF}<?xml version='1.0' encoding = 'KOI8-R' ?>", "KOI8-R", "KOI8"),
            ("@charset \"shift_jis\";\nbody {}", "Shift_JIS", "shift"),
            ("# -*- coding: euc-jp-unix -*-\n", "EUC-JP", "euc"),
            ("#!/usr/bin/ruby\n# encoding: cp1251", "windows-1251", "cp1251"),
            ("/* vim: set fileencoding=gbk : */", "GBK", "gbk"),
            ("<html><META CHARSET=windows-1252>", "windows-1252", "windows"),
            ("<!-- <meta charset=gbk> --><meta\ncharset = 'big5'>", "Big5", "big5"),
            (
                "<meta name=a><meta http-equiv='Content-Type' content='text/html; charset=koi8-u'>",
                "KOI8-U",
                "koi8",
            ),
            ("<meta charset=utf-16le>", "UTF-8", "utf-16le"),
            (
                "msgid \"\"\nmsgstr \"\"\n\"Content-Type: text/plain; charset=ISO-8859-2\\n\"\n",
                "ISO-8859-2",
                "ISO",
            ),
            (
                "Subject: a\r\nContent-type: text/plain;\r\n\tcharset=\"iso-8859-7\"\r\n\r\n",
                "ISO-8859-7",
                "iso-8859-7",
            ),
        ] {
            let at = text.find(label).expect("where the name stands") as u64;
            assert_eq!(found(text), Some((encoding, at)), "{text}");
        }
    }

    #[test]
    fn what_declares_nothing() {
        for text in [
            "",
            "<?xml",
            "<?xml version=\"1.0\"?><a encoding=\"gbk\">",
            " <?xml version=\"1.0\" encoding=\"gbk\"?>",
            "<?xmlish encoding=\"gbk\"?>",
            "@charset 'gbk';",
            "@charset \"gbk\"",
            "@charset \"gbk",
            "one\ntwo\n# coding: gbk",
            "coding is fun: gbk",
            "# coding: nonsense",
            "# coding:",
            "<!-- <meta charset=gbk>",
            "<metadata charset=gbk>",
            "<meta name=description content='no charset=gbk'>",
            "<meta charset=gbk",
            "<meta charset=>",
            "<meta",
            "<",
            "\"Content-Type: text/plain; charset=CHARSET\\n\"",
            "Content-Type: text/plain\ncharset=gbk",
            "see Content-Type: text/plain; charset=gbk",
            "Content-Type: charset",
        ] {
            assert_eq!(found(text), None, "{text}");
        }
    }

    /// However a text is cut, what is found is what the whole declares, or its beginning.
    #[test]
    fn any_prefix_and_any_rest() {
        let text = "<!-->\n\"Content-Type: a;\n charset=gbk\n<meta charset='koi8-r'>@charset \"big5\";<?xml encoding='utf-8'?>coding=euc-kr";
        for from in 0..=text.len() {
            for to in from..=text.len() {
                let _ = found(&text[from..to]);
            }
        }
    }

    #[test]
    fn only_the_beginning_is_looked_at() {
        let page = |before: usize| format!("{}<meta charset=gbk>", "\n".repeat(before));
        assert!(found(&page(HEAD - 18)).is_some());
        assert_eq!(found(&page(HEAD - 17)), None);
    }
}
