//! The Rust of the pages in docs/ compiles, and what it asserts is true.
//!
//! A page shows lines without what stands around them, and nothing that a reader has to skip. So the lines stand here once more,
//! inside of functions, between two marks: `// docs/PAGE.md` and `// end`. The last test compares: an example that is in a page
//! and not here, or is not the same in both, fails.
//!
//! What needs a feature that is off by default is compiled by clippy with those features, and run where they are.

use std::error::Error;

type Outcome = Result<(), Box<dyn Error>>;

#[rustfmt::skip]
mod coming_from {
    use runecast::{AnyTranscoder, Kind, Label, Replacement, Scheme, Transcoder, Utf8, Utf16Le, Validator};

    use super::Outcome;

    #[test]
    #[allow(unused_variables)]
    fn std() {
        // docs/coming-from.md
        let error = runecast::from_utf8(b"na\xEFve").unwrap_err();
        assert_eq!((error.valid_up_to(), error.error_len()), (2, Some(1)));         // as std's
        assert_eq!(error.kind(), Kind::Truncated);                                  // EF begins a character of three bytes
        let error: std::str::Utf8Error = error.into();
        // end
        assert_eq!(error, std::str::from_utf8(&b"na\xEFve"[..]).unwrap_err());
    }

    #[test]
    fn simdutf8() {
        // docs/coming-from.md
        let mut validator = Validator::<Utf8>::new();
        for chunk in [&b"caf\xC3"[..], b"\xA9 \xFF"] {
            if let Err(error) = validator.push(chunk) {
                assert_eq!((error.at, error.kind), (6, Kind::InvalidLead));         // the offset counts from the first chunk
            }
        }
        // end
        assert_eq!(validator.offset(), 3);
    }

    #[test]
    fn encoding_rs() -> Outcome {
        // docs/coming-from.md
        let mut decoder = Transcoder::<Utf16Le, Utf8>::lossy(Replacement::Whatwg);
        let mut text = String::new();
        for chunk in [&b"r\0\xFA"[..], b"\0n\0a\0"] {
            decoder.push_to_string(chunk, &mut text)?;                              // chunks may end anywhere
        }
        decoder.finish_to_string(&mut text)?;
        assert_eq!(text, "rúna");
        // end
        Ok(())
    }

    #[test]
    fn iconv() -> Outcome {
        // docs/coming-from.md
        let mut conversion = AnyTranscoder::strict("utf-16".parse::<Label>()?, Scheme::Utf8);
        let mut output = Vec::new();
        conversion.push_to_vec(b"\xFF\xFEr\0\xFA", &mut output)?;                   // the mark says: little-endian
        conversion.push_to_vec(b"\0", &mut output)?;
        conversion.finish_to_vec(&mut output)?;
        assert_eq!(output, "rú".as_bytes());
        // end
        Ok(())
    }
}

#[rustfmt::skip]
mod columns {
    use super::Outcome;

    #[test]
    fn columns() -> Outcome {
        // docs/columns.md
        use runecast::batch::{Validity, repair_offsets, transcode_offsets, validate_offsets};
        use runecast::{Replacement, Utf8, Utf16};

        let values = b"Sigr\xC3\xBAnBirgitThorbj\xF8rn";
        let offsets = [0, 7, 13, 22]; // the values are values[0..7], values[7..13], values[13..22]
        let validity = Validity::new(&[0b111], 0); // one bit for each value: none is null

        // All values at once; the error has the index of the value, and the offset in it.
        let error = validate_offsets::<Utf8>(values, &offsets, Some(validity)).unwrap_err();
        println!("{error}");
        assert_eq!(error.index, 2);

        // New values and offsets, or None if there is nothing to repair.
        if let Some(new) = repair_offsets(values, &offsets, Some(validity), Replacement::Whatwg)? {
            assert_eq!(new.offsets, [0, 7, 13, 24]);
            let wide = transcode_offsets::<Utf8, Utf16, i32>(&new.values, &new.offsets, Some(validity))?;
            assert_eq!(wide.offsets, [0, 6, 12, 21]);
            println!("{}", String::from_utf16(&wide.values)?);
        }
        // end
        Ok(())
    }
}

#[rustfmt::skip]
mod offsets {
    #[test]
    fn offsets() {
        // docs/offsets.md
        use runecast::index::{self, OffsetMap, Position, Unit};

        let text = "rūna\nᚱ🪨!";
        assert_eq!(index::utf16_offset(text, 13), 8);           // thirteen bytes are eight code units of UTF-16
        assert_eq!(index::at_utf16(text, 8), 13);               // and back
        assert_eq!(index::position(text, 13, Unit::Utf16), Position { line: 1, column: 3 });

        let map = OffsetMap::new(text);                         // 1.6 % of the text, in one pass
        assert_eq!(map.at_position(text, Position { line: 1, column: 3 }, Unit::Utf16), 13);
        // end
    }
}

#[rustfmt::skip]
#[allow(unused_variables)]
mod rust {
    use runecast::wtf8::Wtf8Buf;
    use runecast::{Mutf8, Replacement, Utf8, Utf16};

    use super::Outcome;

    #[test]
    fn validate_repair_convert() -> Outcome {
        let bytes = "rūna".as_bytes();
        // docs/rust.md
        let text: &str = runecast::from_utf8(bytes)?;           // like std's from_utf8, but faster

        for error in runecast::ill_formed(bytes) {              // every error, at full speed in between
            println!("{error}");                                // "ill-formed at byte 3: E9 begins a …"
        }

        let units = runecast::transcode_to_vec::<Utf8, Utf16>(bytes)?;      // any encoding to any other

        let text = runecast::from_utf8_lossy(bytes);            // like std's, but faster
        let text = runecast::repair::<Utf8>(bytes, Replacement::OpenJdk8);  // what Java 8 would have made of it
        // end
        assert_eq!(text, "rūna");
        Ok(())
    }

    #[test]
    fn strings_of_other_systems() -> Outcome {
        let units = [0x61, 0xD800];
        // docs/rust.md
        let name = Wtf8Buf::from_wide(&units);                  // surrogates may be unpaired
        let constant = runecast::encode_mutf8("a\0🪨");         // as in a class file: C0 80 for U+0000, and six bytes
        let text = runecast::transcode_to_str::<Mutf8>(&constant)?;         // borrowed where it is UTF-8 already
        // end
        assert_eq!((name.as_bytes(), &*text), (&b"a\xED\xA0\x80"[..], "a\0🪨"));
        Ok(())
    }

    #[test]
    fn detection() {
        let bytes = b"r\0u\0n\0e\0";
        // docs/rust.md
        let found = runecast::detect(bytes);                    // encoding, confidence, evidence
        println!("{found}");                                    // "UTF-16LE, 99 % sure: 2048 of 2048 code units …"
        // end
    }
}

#[rustfmt::skip]
#[allow(unused_variables)]
mod embedding {
    use super::Outcome;

    #[test]
    fn without_an_allocator() -> Outcome {
        let bytes = "rūna".as_bytes();
        // docs/embedding.md
        use runecast::{Replacement, Utf8, Utf16, Validator, chars, transcode, transcode_lossy};

        let name: &str = runecast::from_utf8(bytes)?;           // borrowed: nothing is copied
        for character in chars::<Utf8>(bytes) {                 // one by one; errors are items, too
            let character: char = character?;
        }

        let mut units = [0; 16];                                // one unit of UTF-16 at most for each byte of UTF-8
        let written = transcode::<Utf8, Utf16>(bytes, &mut units)?;
        let done = transcode_lossy::<Utf8, Utf16>(b"\xFF!", &mut units, Replacement::Whatwg)?;
        assert_eq!((done.written, done.replaced, units[0]), (2, 1, 0xFFFD));

        let mut validator = Validator::<Utf8>::new();           // for text in chunks: eight bytes, Copy
        validator.push(b"r\xC5")?;                              // a chunk may end in the middle of a character
        validator.push(b"\xABna")?;
        validator.finish()?;
        // end
        assert_eq!((name, written), ("rūna", 4));
        Ok(())
    }
}

#[rustfmt::skip]
#[allow(unused_variables, unused_mut)]
mod streams {
    use std::io::{BufRead, Read, Write};

    use runecast::{
        AnyTranscoder, Label, Replacement, Scheme, Transcoder, TranscodingReader, TranscodingWriter, Utf8, Utf8Reader,
        Utf16Le, Validator,
    };

    use super::Outcome;

    #[test]
    fn chunks() -> Outcome {
        let socket = [b"caf\xC3", &b"\xA9"[..]];
        // docs/streams.md
        let mut validator = Validator::<Utf8>::new();           // eight bytes, Copy
        for chunk in socket {
            validator.push(chunk)?;                             // an error at the earliest byte, with its offset in the stream
        }
        validator.finish()?;                                    // an error if the last character is incomplete
        // end
        Ok(())
    }

    #[test]
    fn from_a_reader_to_a_writer() -> Outcome {
        let mut source = &b"a\0\0\xD8!\0\x3E\xD8\xA8\xDE"[..];
        let (mut input, mut output, mut sink) = ([0; 3], [0; runecast::LEAST_ROOM], Vec::new());
        // docs/streams.md
        let mut transcoder = Transcoder::<Utf16Le, Utf8>::lossy(Replacement::Whatwg);
        let mut replaced = 0;
        let mut last = false;
        while !last {
            let length = source.read(&mut input)?;
            last = length == 0;                                 // the end: an empty chunk, which is the last
            let mut chunk = &input[..length];
            loop {
                let step = transcoder.transcode(chunk, &mut output, last);
                sink.write_all(&output[..step.written])?;
                replaced += step.replaced;
                if step.is_done() {
                    break;
                }
                chunk = &chunk[step.read..];                    // the output was full: continue with the rest of the chunk
            }
        }
        // end
        assert_eq!((String::from_utf8(sink)?.as_str(), replaced), ("a\u{FFFD}!\u{1FAA8}", 1));
        Ok(())
    }

    #[test]
    fn dynamic() {
        // docs/streams.md
        let mut transcoder = AnyTranscoder::strict(Label::Utf16, Scheme::Utf8);
        // end
    }

    #[test]
    fn readers_and_writers() -> Outcome {
        let mut text = String::new();
        {
            let file: &[u8] = b"\0a\0\n";
            // docs/streams.md
            for line in TranscodingReader::strict(file, Label::Utf16).lines() { // any encoding as UTF-8 text
                println!("{}", line?);
            }
            // end
        }
        {
            let file: &[u8] = b"caf\xC3\xA9";
            // docs/streams.md
            Utf8Reader::new(file).read_to_string(&mut text)?;                   // UTF-8, validated while it is read
            // end
        }
        let file = Vec::new();
        // docs/streams.md
        write!(TranscodingWriter::strict(file, Scheme::Utf8, Scheme::Utf16Le), "ᚱ")?;   // and `finish()` at the end
        // end
        assert_eq!(text, "café");
        Ok(())
    }

    #[cfg(feature = "tokio")]
    #[allow(dead_code)]
    fn asynchronous(
        socket: impl tokio::io::AsyncRead,
        line: runecast::Utf8Bytes,
        map: std::collections::HashMap<runecast::Utf8Bytes, ()>,
    ) -> Option<()> {
        use runecast::Utf8Bytes;
        use runecast::codec::Utf8Lines;
        use tokio_util::codec::FramedRead;
        // docs/streams.md
        let mut lines = FramedRead::new(socket, Utf8Lines::with_limit(65536));      // Utf8Bytes, line by line
        let key: Utf8Bytes = line.slice_ref(line.split(':').next()?)?;      // a part of what was received
        map.get("the same as a str");                                       // HashMap<Utf8Bytes, _>
        // end
        Some(())
    }
}

#[rustfmt::skip]
mod scanning {
    use runecast::scan::{LineEnds, LineReader, Scanner, lines, positions, positions_append, records};

    use super::Outcome;

    #[test]
    #[allow(unused_variables)]
    fn parts() -> Outcome {
        let bytes = "ein,\"Wort\"\nund,zwei\n".as_bytes();
        let (file, socket) = (bytes, [&bytes[..7], &bytes[7..]]);
        let (mut marks, mut all, mut count, mut list) = (0, 0, 0, [0u32; 2]);
        // docs/scanning.md
        use runecast::scan::{ByteSet, scan};

        const FIELDS: ByteSet = ByteSet::new(b",\n").unwrap();  // any ASCII bytes; None if one is not
        const QUOTE: ByteSet = ByteSet::new(b"\"").unwrap();

        scan(bytes, &[FIELDS, QUOTE], |at, [ends, quotes]| {    // for each 64 bytes, a mask for each set
            marks += ends.count_ones() + quotes.count_ones();   // bit n: the byte at + n
        })?;                                                    // the first ill-formed sequence, as of validate
        // end
        // docs/scanning.md
        let mut ends = Vec::<u32>::new();                       // or usize
        let found = positions_append(bytes, ByteSet::LINE_FEED, &mut ends);
        assert!(found.error.is_none());                         // positions before it are in the list

        let found = positions(bytes, FIELDS, &mut list);        // into a slice: if it is full, continue at found.read
        // end
        // docs/scanning.md
        for line in lines(bytes) {                              // the same lines as str::lines
            let line: &str = line?;                             // checked in the pass that found its end
        }
        let any = lines(bytes).ends(LineEnds::UNICODE).limit(65536);    // CR, NEL, LS, PS, too; a longer line is an error
        let fields = records(bytes, FIELDS);                            // between any ASCII bytes
        let rows = records(bytes, ByteSet::LINE_FEED).quoted(QUOTE);    // but not inside of quotes, as in CSV
        LineReader::new(file).for_each(|line| count += line.map_or(0, str::len))?;   // the lines of a reader
        // end
        // docs/scanning.md
        let mut scanner = Scanner::new(&[ByteSet::LINE_FEED]);
        for chunk in socket {
            scanner.push(chunk, |_, [ends]| all += ends.count_ones())?; // offsets in this chunk, which begins at scanner.offset()
        }
        scanner.finish()?;
        // end
        assert_eq!((marks, all, count, list), (6, 2, 18, [3, 10]));
        Ok(())
    }
}

/// Lines without what they are indented by, and without empty ones.
fn lines<'a>(text: impl Iterator<Item = &'a str>) -> Vec<&'a str> {
    text.map(str::trim).filter(|line| !line.is_empty()).collect()
}

/// What stands between `begin` and `end`, each a line of its own, all occurrences together.
fn between<'a>(text: &'a str, begin: &str, end: &str) -> Vec<&'a str> {
    let mut found = Vec::new();
    let mut rest = text.lines();
    while rest.any(|line| line.trim() == begin) {
        found.extend(lines(rest.by_ref().take_while(|line| line.trim() != end)));
    }
    found
}

#[test]
fn the_examples_are_those_of_the_pages() -> Outcome {
    let mut pages = 0;
    for entry in std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/docs"))? {
        let path = entry?.path();
        if path.extension().is_none_or(|extension| extension != "md") {
            continue;
        }
        let page = std::fs::read_to_string(&path)?;
        let name = path.file_name().ok_or("a name")?.to_string_lossy().into_owned();
        let shown = between(&page, "```rust", "```");
        let compiled = between(include_str!("pages.rs"), &format!("// docs/{name}"), "// end");
        assert_eq!(shown, compiled, "docs/{name}, and what stands in this test");
        pages += usize::from(!shown.is_empty());
    }
    assert!(pages >= 5, "{pages} pages have examples");
    Ok(())
}
