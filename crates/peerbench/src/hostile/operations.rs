//! The operations that are measured. All read bytes, so that every pattern is a text for each.

use std::io::Read;

use runecast::batch::{transcode_offsets_lossy, validate_offsets};
use runecast::index::OffsetMap;
use runecast::{
    AnyTranscoder, AnyValidator, Cesu8, CorrectedUtf8, Encoding, Escape, Mutf8, Policy, Reason, Replacement,
    Scheme, Step, Transcoder, TranscodingReader, Utf8, Utf8Reader, Utf16Be, Utf16Le, Utf32Le, Validator,
    Wtf8,
};

/// Does something with a text, and returns what depends on the result.
pub type Work = Box<dyn Fn(&[u8]) -> usize>;

/// What is measured.
pub struct Operation {
    /// The row's name.
    pub name: String,
    /// What clean text is in.
    pub from: Scheme,
    /// What it becomes, so that clean text has nothing that cannot be represented.
    pub to: Scheme,
    /// Whether there is a call for each error or each chunk, of which every byte may be one.
    pub by_call: bool,
    /// Does it, and returns something that depends on the result.
    pub work: Work,
}

fn operation(name: String, from: Scheme, to: Scheme, work: impl Fn(&[u8]) -> usize + 'static) -> Operation {
    // What the names say.
    let by_call = ["each error", "past errors", "byte by byte"].iter().any(|call| name.contains(call));
    Operation { name, from, to, by_call, work: Box::new(work) }
}

/// The policies, with their names.
fn policies() -> Vec<(String, Policy<'static>)> {
    let replacements = Replacement::ALL.map(|by| (by.name().to_owned(), by.into()));
    let escapes = Escape::ALL.map(|by| (by.name().to_owned(), by.into()));
    let texts =
        [("drop".to_owned(), Policy::DropAtTheRiskOfJoining), ("<text>".to_owned(), Policy::With("<text>"))];
    replacements.into_iter().chain(escapes).chain(texts).collect()
}

/// Some of them.
fn few() -> Vec<(String, Policy<'static>)> {
    let names = ["whatwg", "backslash", "surrogate", "<text>"];
    policies().into_iter().filter(|(name, _)| names.contains(&name.as_str())).collect()
}

/// Drives a stream through `text`: chunks of so many bytes, outputs of so many units. Errors are passed over.
fn drive<U: Copy + Default>(
    text: &[u8],
    chunk: usize,
    room: usize,
    mut step: impl FnMut(&[u8], &mut [U], bool) -> Step,
) -> usize {
    let mut output = vec![U::default(); room];
    let mut sum = 0;
    let mut chunks = text.chunks(chunk).peekable();
    while let Some(mut rest) = chunks.next() {
        let last = chunks.peek().is_none();
        loop {
            let step = step(rest, &mut output, last);
            sum += step.written;
            rest = &rest[step.read..];
            if step.reason.is_none() {
                break;
            }
        }
    }
    sum
}

/// Every error of a strict conversion, with a question mark for it.
fn past_errors(from: Scheme, to: Scheme, text: &[u8], output: &mut [u8]) -> usize {
    let (mut at, mut sum) = (0, 0);
    while at < text.len() {
        match from.transcode_partial(to, &text[at..], output) {
            Ok(progress) => (at, sum) = (at + progress.read, sum + progress.written),
            Err(error) => {
                sum += error.written;
                at += error.read;
                at += match error.reason {
                    Reason::IllFormed(error) => error.len.max(1),
                    _ => from.step(&text[at..]).max(1),
                };
            }
        }
    }
    sum
}

/// What is known by type.
fn typed(all: &mut Vec<Operation>) {
    fn validate<E: Encoding<Unit = u8>>(all: &mut Vec<Operation>, from: Scheme) {
        // All errors, as far as a reserved sequence lets them be counted.
        let each = |text: &[u8]| {
            let (mut at, mut count) = (0, 0);
            while let Err(error) = runecast::validate::<E>(&text[at..]) {
                at += error.at + error.len;
                count += 1;
            }
            count
        };
        all.push(operation(format!("validate {from}, each error"), from, from, each));
        all.push(operation(format!("par_validate {from}"), from, from, |text| {
            runecast::par_validate::<E>(text).map_or_else(|error| error.at, |()| 0)
        }));
        let bytes = operation(format!("Validator {from}, byte by byte"), from, from, |text| {
            let mut validator = Validator::<E>::new();
            text.iter().filter(|byte| validator.push(std::slice::from_ref(byte)).is_err()).count()
        });
        all.push(bytes);
        all.push(operation(format!("batch validate {from}, values of 7 bytes"), from, from, |text| {
            let offsets: Vec<i32> = (0..=text.len() / 7).map(|value| 7 * value as i32).collect();
            validate_offsets::<E>(text, &offsets, None).map_or_else(|error| error.index, |()| 0)
        }));
    }
    validate::<Utf8>(all, Scheme::Utf8);
    validate::<CorrectedUtf8>(all, Scheme::CorrectedUtf8);
    validate::<Cesu8>(all, Scheme::Cesu8);
    validate::<Mutf8>(all, Scheme::Mutf8);
    validate::<Wtf8>(all, Scheme::Wtf8);
    validate::<Utf16Le>(all, Scheme::Utf16Le);
    validate::<Utf32Le>(all, Scheme::Utf32Le);

    fn lossy<S: Encoding<Unit = u8>, D: Encoding<Unit = u8>>(
        all: &mut Vec<Operation>,
        (from, to): (Scheme, Scheme),
        policies: &[(String, Policy<'static>)],
    ) {
        for &(ref name, policy) in policies {
            let named = |what: &str| format!("{what} {from} > {to}, {name}");
            let at_once = move |text: &[u8]| runecast::transcode_lossy_to_vec::<S, D>(text, policy).len();
            all.push(operation(named(""), from, to, at_once));
            let len = move |text: &[u8]| runecast::transcode_lossy_len::<S, D>(text, policy).written;
            all.push(operation(named("len"), from, to, len));
            let parallel =
                move |text: &[u8]| runecast::par_transcode_lossy_to_vec::<S, D>(text, policy).len();
            all.push(operation(named("par"), from, to, parallel));
            for (chunk, room) in [(1 << 20, 8), (1 << 20, 80), (1 << 20, 4096), (100, 4096), (1, 64)] {
                let stream = move |text: &[u8]| {
                    let mut transcoder = Transcoder::<S, D>::lossy(policy);
                    drive(text, chunk, room, |src, dst, last| transcoder.transcode(src, dst, last))
                };
                let mut stream = operation(named(&format!("stream {chunk}:{room}")), from, to, stream);
                stream.by_call = chunk == 1;
                all.push(stream);
            }
            let batch = move |text: &[u8]| {
                let offsets: Vec<i32> = (0..=text.len() / 7).map(|value| 7 * value as i32).collect();
                transcode_offsets_lossy::<S, D, i64>(text, &offsets, None, policy)
                    .map_or(0, |new| new.values.len())
            };
            all.push(operation(named("batch"), from, to, batch));
        }
        let strict = move |text: &[u8]| {
            let mut transcoder = Transcoder::<S, D>::strict();
            drive(text, 1 << 20, 4096, |src, dst, last| transcoder.transcode(src, dst, last))
        };
        all.push(operation(format!("strict stream {from} > {to}, past errors"), from, to, strict));
        let vec = move |text: &[u8]| {
            let (mut transcoder, mut out, mut at) = (Transcoder::<S, D>::strict(), Vec::new(), 0);
            while let Err(error) = transcoder.push_to_vec(&text[at..], &mut out) {
                at += error.read;
            }
            out.len()
        };
        all.push(operation(format!("push_to_vec {from} > {to}, past errors"), from, to, vec));
    }
    use Scheme as S;
    lossy::<Utf8, Utf8>(all, (S::Utf8, S::Utf8), &policies());
    lossy::<Utf8, Utf16Le>(all, (S::Utf8, S::Utf16Le), &policies());
    lossy::<CorrectedUtf8, Utf8>(all, (S::CorrectedUtf8, S::Utf8), &few());
    lossy::<CorrectedUtf8, Utf16Le>(all, (S::CorrectedUtf8, S::Utf16Le), &few());
    lossy::<Utf16Le, Utf8>(all, (S::Utf16Le, S::Utf8), &few());
    lossy::<Utf16Be, Utf16Le>(all, (S::Utf16Be, S::Utf16Le), &few());
    lossy::<Utf32Le, Utf8>(all, (S::Utf32Le, S::Utf8), &few());
    lossy::<Cesu8, Utf8>(all, (S::Cesu8, S::Utf8), &few());
    lossy::<Mutf8, Utf16Le>(all, (S::Mutf8, S::Utf16Le), &few());
    lossy::<Wtf8, Utf8>(all, (S::Wtf8, S::Utf8), &few());
    lossy::<Utf8, runecast::Latin1>(all, (S::Utf8, S::Latin1), &few());
    lossy::<Utf8, runecast::Ascii>(all, (S::Utf8, S::Ascii), &few());
    lossy::<Utf16Le, runecast::Latin1>(all, (S::Utf16Le, S::Latin1), &few());
}

/// What is known at run time.
fn dynamic(all: &mut Vec<Operation>) {
    use Scheme as S;
    let pairs = [
        (S::Utf8, S::Utf16Be),
        (S::Utf8, S::Latin1),
        (S::Utf16Le, S::Utf16Be),
        (S::Utf16Le, S::Latin1),
        (S::Utf16Le, S::Ascii),
        (S::Utf16Le, S::Cesu8),
        (S::Utf32Le, S::Utf16Le),
        (S::Utf32Be, S::Latin1),
        (S::CorrectedUtf8, S::Utf16Le),
        (S::CorrectedUtf8, S::Cesu8),
        (S::CorrectedUtf8, S::CorrectedUtf8),
        (S::Cesu8, S::Utf16Le),
        (S::Mutf8, S::Latin1),
        (S::Wtf8, S::Utf16Le),
        (S::Wtf16Le, S::Ascii),
        (S::WobblyCesu8, S::Wtf16Be),
        (S::GeneralizedUtf8, S::Wtf16Le),
        (S::Ascii, S::Utf16Le),
        (S::Latin1, S::Ascii),
    ];
    for (from, to) in pairs {
        for (name, policy) in few() {
            let named = |what: &str| format!("dynamic {what} {from} > {to}, {name}");
            let at_once = move |text: &[u8]| {
                let mut out = Vec::new();
                from.transcode_lossy_append(to, text, &mut out, policy);
                out.len()
            };
            all.push(operation(named(""), from, to, at_once));
            for (chunk, room) in [(1 << 20, 32), (1 << 20, 4096), (1, 64)] {
                let stream = move |text: &[u8]| {
                    let mut transcoder = AnyTranscoder::lossy(from, to, policy);
                    drive(text, chunk, room, |src, dst, last| transcoder.transcode(src, dst, last))
                };
                let mut stream = operation(named(&format!("stream {chunk}:{room}")), from, to, stream);
                stream.by_call = chunk == 1;
                all.push(stream);
            }
            let batch = move |text: &[u8]| {
                let offsets: Vec<i32> = (0..=text.len() / 7).map(|value| 7 * value as i32).collect();
                from.transcode_offsets_lossy::<i32>(to, text, &offsets, None, policy)
                    .map_or(0, |new| new.values.len())
            };
            all.push(operation(named("batch"), from, to, batch));
        }
        let strict = move |text: &[u8]| {
            let mut transcoder = AnyTranscoder::strict(from, to);
            drive(text, 1 << 20, 4096, |src, dst, last| transcoder.transcode(src, dst, last))
        };
        all.push(operation(format!("dynamic strict stream {from} > {to}, past errors"), from, to, strict));
        let partial = move |text: &[u8]| past_errors(from, to, text, &mut vec![0; 4 * text.len()]);
        all.push(operation(format!("dynamic partial {from} > {to}, past errors"), from, to, partial));
    }
    for from in Scheme::ALL {
        let bytes = operation(format!("AnyValidator {from}, byte by byte"), from, from, move |text| {
            let mut validator = AnyValidator::new(from);
            text.iter().filter(|byte| validator.push(std::slice::from_ref(byte)).is_err()).count()
        });
        all.push(bytes);
    }
}

/// What else there is.
fn others(all: &mut Vec<Operation>) {
    let utf8 =
        |name: &str, work: fn(&[u8]) -> usize| operation(name.to_owned(), Scheme::Utf8, Scheme::Utf8, work);
    all.push(utf8("ill_formed, each error", |text| runecast::ill_formed(text).count()));
    all.push(utf8("utf8_chunks, each error", |text| runecast::utf8_chunks(text).count()));
    all.push(utf8("from_utf8_lossy", |text| runecast::from_utf8_lossy(text).len()));
    all.push(utf8("detect", |text| usize::from(runecast::detect(text).confidence)));
    all.push(utf8("count", runecast::count::<Utf8>));
    all.push(utf8("repertoire", |text| runecast::repertoire::<Utf8>(text).width()));
    all.push(utf8("repertoire of Corrected UTF-8", |text| {
        runecast::repertoire::<CorrectedUtf8>(text).width()
    }));
    all.push(utf8("transcoded_len to UTF-16", runecast::transcoded_len::<Utf8, Utf16Le>));
    all.push(utf8("transcoded_len, CESU-8 to Corrected UTF-8", |text| {
        runecast::transcoded_len::<Cesu8, CorrectedUtf8>(text)
    }));
    all.push(utf8("OffsetMap", |text| {
        let text = String::from_utf8_lossy(text);
        OffsetMap::new(&*text).lines()
    }));
    all.push(utf8("Utf8Reader, past errors", |text| {
        let (mut sum, mut out, mut buffer) = (0, Utf8Reader::new(text), [0; 4096]);
        for _ in 0..text.len() {
            match out.read(&mut buffer) {
                Ok(0) => break,
                Ok(read) => sum += read,
                Err(_) => break,
            }
        }
        sum
    }));
    all.push(utf8("TranscodingReader, lossy", |text| {
        let mut out = Vec::new();
        let mut reader = TranscodingReader::lossy(text, Scheme::CorrectedUtf8, Escape::Backslash);
        reader.read_to_end(&mut out).unwrap_or(0)
    }));
    all.push(utf8("corrected::lint", |text| runecast::corrected::lint(text).count()));
    all.push(operation("unescape_surrogates".to_owned(), Scheme::Utf16Le, Scheme::Utf16Le, |text| {
        runecast::unescape_surrogates::<Utf16Le>(text).map_or_else(|error| error.at, |bytes| bytes.len())
    }));
    all.push(utf8("escape and unescape surrogates", |text| {
        let units = runecast::transcode_lossy_to_vec::<Utf8, Utf16Le>(text, Escape::Surrogate);
        runecast::unescape_surrogates::<Utf16Le>(&units).map_or(0, |bytes| bytes.len())
    }));
}

/// All of them.
pub fn operations() -> Vec<Operation> {
    let mut all = Vec::new();
    others(&mut all);
    typed(&mut all);
    dynamic(&mut all);
    all
}
