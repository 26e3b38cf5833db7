//! Passing over what is no text below directories.
//!
//! Who names a directory wants its texts: pictures and programs below it are not "ill-formed". A file that was found, not
//! named, is passed over if its first bytes are no text in any encoding ([`Content::Binary`]); UTF-16 without a byte order mark,
//! though full of NUL bytes, is text. How many were passed over is counted, for that is worth a word.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use runecast::{Content, Detector};

use crate::io::source::{Input, Source, Sources, read_at};
use crate::pipeline::chunk_reader::Opener;

/// So much is looked at.
const HEAD: usize = 4096;

/// How many files were passed over, and whether there were any; clones share the count.
#[derive(Clone, Debug)]
pub(crate) struct PassedOver {
    count: Arc<AtomicU64>,
    /// There has to be a file that matches a pattern, and there was none.
    unmatched: Arc<AtomicBool>,
}

impl PassedOver {
    /// How many.
    pub(crate) fn count(&self) -> u64 {
        self.count.load(Ordering::Relaxed)
    }

    /// Whether patterns were given that no file has matched.
    pub(crate) fn is_unmatched(&self) -> bool {
        self.unmatched.load(Ordering::Relaxed)
    }
}

/// Opens inputs, unless they are to be passed over.
pub(crate) fn opener(sources: &Sources) -> (Opener, PassedOver) {
    let unmatched = Arc::new(AtomicBool::new(sources.wants_a_match()));
    let passed_over = PassedOver { count: Arc::default(), unmatched };
    let (counter, looks) = (passed_over.clone(), sources.passes_over_binaries());
    let open = move |source: &Source| {
        counter.unmatched.store(false, Ordering::Relaxed);
        let input = source.open()?;
        if looks && source.root.is_some() && is_binary(&input)? {
            counter.count.fetch_add(1, Ordering::Relaxed);
            return Ok(None);
        }
        Ok(Some(input))
    };
    (Box::new(open), passed_over)
}

fn is_binary(input: &Input) -> io::Result<bool> {
    let Input::Seekable(file) = input else { return Ok(false) };
    let mut head = [0; HEAD];
    let mut read = 0;
    while read < HEAD {
        match read_at(file, &mut head[read..], read as u64)? {
            0 => break,
            count => read += count,
        }
    }
    let mut detector = Detector::new();
    detector.push(&head[..read]);
    Ok(detector.verdict().content == Content::Binary)
}
