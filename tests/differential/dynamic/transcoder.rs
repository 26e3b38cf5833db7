//! Transcoders between values: pairs that are compiled as types here, held to the one-shot calls; and all
//! pairs, held to themselves in one chunk.

use runecast::{
    AnyTranscoder, Ascii, Bom, Cesu8, Encoding, Engine, GeneralizedUtf8, Label, Latin1, Mutf8, Policy,
    Scheme, Utf8, Utf16Be, Utf16Le, Utf32Be, Utf32Le, WobblyCesu8, WobblyMutf8, Wtf8, Wtf16Le,
};

use crate::common::check::engines;
use crate::common::oracle;
use crate::common::scale::size;
use crate::common::texts::Rng;
use crate::stream::model::{Drive, Outcome, Row, policies};
use crate::stream::typed::{self, long_texts, short_texts};
use crate::stream::vectors::{cuts, long, pieces, random_cuts};

const WTF16LE: oracle::Encoding = oracle::Encoding { unit: 1, big: false, name: "WTF-16LE", ..oracle::WTF16 };

/// The encoding of this name.
fn scheme(encoding: &oracle::Encoding) -> Scheme {
    Scheme::ALL.into_iter().find(|scheme| scheme.name() == encoding.name).expect("a scheme")
}

pub fn oracle(scheme: Scheme) -> oracle::Encoding {
    use oracle::{
        ASCII, CESU8, GENERALIZED, LATIN1, MUTF8, UTF8, UTF16BE, UTF16LE, UTF32BE, UTF32LE, WOBBLY_CESU8,
        WOBBLY_MUTF8, WTF8, WTF16BE,
    };
    let all = [
        UTF8,
        UTF16LE,
        UTF16BE,
        UTF32LE,
        UTF32BE,
        LATIN1,
        ASCII,
        WTF8,
        WTF16LE,
        WTF16BE,
        GENERALIZED,
        CESU8,
        WOBBLY_CESU8,
        MUTF8,
        WOBBLY_MUTF8,
    ];
    all.into_iter().find(|encoding| encoding.name == scheme.name()).expect("an encoding")
}

fn transcoder(
    from: Scheme,
    to: Scheme,
    engine: Engine,
    policy: Option<Policy<'static>>,
) -> AnyTranscoder<'static> {
    let transcoder = match policy {
        None => AnyTranscoder::strict(from, to),
        Some(policy) => AnyTranscoder::lossy(from, to, policy),
    };
    transcoder.with_engine(engine)
}

fn row<S: Encoding<Unit = u8>, D: Encoding<Unit = u8>>() -> Row {
    let scheme = |name| Scheme::ALL.into_iter().find(|scheme| scheme.name() == name).expect("a scheme");
    let (source, target) = (oracle(scheme(S::NAME)), oracle(scheme(D::NAME)));
    Row {
        stream: |text, drive| {
            let find = |name| Scheme::ALL.into_iter().find(|scheme| scheme.name() == name).expect("a scheme");
            let mut transcoder = transcoder(find(S::NAME), find(D::NAME), drive.engine, drive.policy);
            drive.run(text, (1, 1), |chunk, output, last| transcoder.transcode(chunk, output, last))
        },
        ..typed::row::<S, D>(source, target)
    }
}

/// Direct pairs, and pairs by way of a pivot.
fn rows() -> [Row; 15] {
    [
        row::<Utf8, Utf16Le>(),
        row::<Utf16Be, Utf8>(),
        row::<Wtf16Le, Wtf8>(),
        row::<Utf16Le, Utf16Be>(),
        row::<Utf16Le, Latin1>(),
        row::<Utf32Le, Ascii>(),
        row::<Latin1, Utf32Be>(),
        row::<Cesu8, Utf16Le>(),
        row::<Wtf16Le, Mutf8>(),
        row::<GeneralizedUtf8, Wtf16Le>(),
        row::<GeneralizedUtf8, Utf16Be>(),
        row::<GeneralizedUtf8, GeneralizedUtf8>(),
        row::<WobblyMutf8, WobblyCesu8>(),
        row::<Ascii, Utf16Le>(),
        row::<Utf32Be, Utf16Le>(),
    ]
}

#[test]
fn every_short_text_cut_anywhere() {
    short_texts(&rows());
}

#[test]
fn long_texts_cut_at_random() {
    long_texts(&rows(), 74);
}

/// Not a byte differs by how the text was cut, between any two.
#[test]
fn every_pair() {
    let mut rng = Rng::new(75);
    let policies = policies();
    // (What is read of Corrected UTF-8 has tests of its own.)
    for from in Scheme::ALL.into_iter().filter(|from| *from != Scheme::CorrectedUtf8) {
        let encoding = oracle(from);
        assert_eq!(scheme(&encoding), from);
        let pieces = pieces(&encoding);
        for to in Scheme::ALL {
            for round in 0..size(20, 5, 3) {
                let policy = policies[rng.below(policies.len())];
                let text =
                    long(&encoding, &pieces, 1 + rng.below(30), [1, 5, usize::MAX][round % 3], &mut rng);
                let run = |engine, cuts: &[usize], rooms: &[usize]| -> Outcome {
                    let mut transcoder = transcoder(from, to, engine, policy);
                    assert_eq!((transcoder.source(), transcoder.target()), (Some(from), to));
                    let drive = Drive { engine, policy, cuts, rooms, instead: None };
                    drive.run(&text, (1, 1), |chunk, output, last| transcoder.transcode(chunk, output, last))
                };
                let truth = run(Engine::current(), &[], &[100_000]);
                for engine in engines() {
                    let cuts = random_cuts(text.len(), [1, 9, 300][rng.below(3)], &mut rng);
                    let found = run(engine, &cuts, [&[6, 7][..], &[200], &[5000]][rng.below(3)]);
                    assert!(
                        found == truth,
                        "{from} to {to}, {policy:?}, {engine:?}, {cuts:?}: {found}\n{truth}"
                    );
                }
            }
        }
    }
}

/// What a text is, by its mark.
#[test]
fn sniffing() {
    let ask = |from: Label, bom, text: &[u8], source, rest: &str| {
        let (scheme, behind) = from.split_mark(text, bom);
        assert_eq!((scheme, &*scheme.repair(behind, "?")), (source, rest), "{from} {bom:?} {text:02X?}");
        cuts(text.len(), |cuts| {
            let mut transcoder = AnyTranscoder::lossy(from, Scheme::Utf8, "?").with_bom(bom);
            for _ in 0..2 {
                let drive =
                    Drive { engine: Engine::current(), policy: None, cuts, rooms: &[6], instead: None };
                let found =
                    drive.run(text, (1, 1), |chunk, out, last| transcoder.transcode(chunk, out, last));
                assert_eq!(String::from_utf8_lossy(&found.out), rest, "{from} {bom:?} {text:02X?} {cuts:?}");
                assert_eq!(transcoder.source(), Some(source));
            }
        });
    };
    let latin1 = Label::Exactly(Scheme::Latin1);
    ask(latin1, Bom::Keep, b"\xFF\xFEa", Scheme::Latin1, "ÿþa");
    ask(latin1, Bom::Strip, b"\xFF\xFEa", Scheme::Latin1, "ÿþa");
    ask(latin1, Bom::Sniff, b"\xFF\xFEa\0", Scheme::Utf16Le, "a");
    ask(latin1, Bom::Sniff, b"\xFF\xFE\0\0a\0\0\0", Scheme::Utf32Le, "a");
    ask(latin1, Bom::Sniff, b"\xFF\xFE\0a", Scheme::Utf16Le, "\u{6100}");
    ask(latin1, Bom::Sniff, b"\xFF\xFE", Scheme::Utf16Le, "");
    ask(latin1, Bom::Sniff, b"\xFF\xFE\0", Scheme::Utf16Le, "?");
    ask(latin1, Bom::Sniff, b"\xFE\xFF\0a", Scheme::Utf16Be, "a");
    ask(latin1, Bom::Sniff, b"\0\0\xFE\xFF\0\0\0a", Scheme::Utf32Be, "a");
    ask(latin1, Bom::Sniff, b"\xEF\xBB\xBFa\xEF\xBB\xBF", Scheme::Utf8, "a\u{FEFF}");
    ask(latin1, Bom::Sniff, b"\xEF\xBB", Scheme::Latin1, "ï»");
    ask(latin1, Bom::Sniff, b"", Scheme::Latin1, "");
    let wtf16 = Label::Exactly(Scheme::Wtf16Le);
    ask(wtf16, Bom::Strip, b"\xFF\xFEa\0", Scheme::Wtf16Le, "a");
    // A mark that it shares does not make it another encoding; one that it does not, does.
    ask(wtf16, Bom::Sniff, b"\xFF\xFEa\0", Scheme::Wtf16Le, "a");
    ask(wtf16, Bom::Sniff, b"\xFE\xFF\0a", Scheme::Utf16Be, "a");
    ask(wtf16, Bom::Sniff, b"\xFF\xFE\0\0a\0\0\0", Scheme::Utf32Le, "a");
    ask(Label::Wtf16, Bom::Sniff, b"\xFE\xFF\0a", Scheme::Wtf16Be, "a");
    let cesu8 = Label::Exactly(Scheme::Cesu8);
    ask(cesu8, Bom::Sniff, b"\xEF\xBB\xBFa", Scheme::Cesu8, "a");
    ask(cesu8, Bom::Sniff, b"\xFF\xFEa\0", Scheme::Utf16Le, "a");
    ask(wtf16, Bom::Strip, b"\xFE\xFFa\0", Scheme::Wtf16Le, "\u{FFFE}a");
    ask(Label::Utf16, Bom::Keep, b"\xFF\xFEa\0", Scheme::Utf16Le, "a");
    ask(Label::Utf16, Bom::Keep, b"\xFE\xFF\0a", Scheme::Utf16Be, "a");
    ask(Label::Utf16, Bom::Keep, b"\0a", Scheme::Utf16Be, "a");
    ask(Label::Utf16, Bom::Keep, b"\0", Scheme::Utf16Be, "?");
    ask(Label::Utf16, Bom::Keep, b"\xFF\xFE\0\0", Scheme::Utf16Le, "\0");
    ask(Label::Utf32, Bom::Keep, b"\xFF\xFE\0\0a\0\0\0", Scheme::Utf32Le, "a");
    ask(Label::Utf32, Bom::Keep, b"\0\0\0a", Scheme::Utf32Be, "a");
    ask(Label::Wtf16, Bom::Keep, b"\xFF\xFEa\0", Scheme::Wtf16Le, "a");
}
