//! The parallel functions against the serial ones. Blocks have 64 bytes here, so that a text of some hundred bytes has many
//! boundaries, with ill-formed sequences at most of them.

use super::*;
use crate::{
    Ascii, Cesu8, CorrectedUtf8, Escape, GeneralizedUtf8, Latin1, Mutf8, Replacement, Utf8, Utf16, Utf16Be,
    Utf16Le, Utf32, WobblyCesu8, WobblyMutf8, Wtf8, Wtf16Le, transcode_lossy_to_vec, transcode_to_vec,
    validate,
};

/// A few pseudo-random numbers: xorshift.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % limit as u64) as usize
    }
}

/// Text in `E`, with ill-formed sequences of several kinds.
fn text<E: Encoding<Unit: bytemuck::Pod>>(random: &mut Random) -> Vec<E::Unit> {
    let widest = 1 + random.below(4);
    let len = random.below(700) / size_of::<E::Unit>();
    let ill_formed = [0, 0, 30, 300][random.below(4)];
    let mut units = Vec::new();
    while units.len() < len {
        let width = 1 + random.below(widest);
        let point = match width {
            1 => random.below(0x80),
            2 => 0x80 + random.below(widest * 0x1E0),
            3 => 0x800 + random.below(0xF800),
            _ => 0x1_0000 + random.below(0x10_0000),
        };
        if let Some(character) = E::encode(point as u32) {
            units.extend(character.iter());
        }
        if random.below(1000) < ill_formed {
            let bytes: &[u8] = match random.below(6) {
                0 => b"\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80",
                1 => b"\xED\xA0\x80\xED\xB0\x80",
                2 => b"\xED\xB0\x80\xED\xA0\x80\xED\xA0",
                3 => b"\x3D\xD8\x00\xDE\xD8\x3D\xDE\x00\x3D\xD8\x3D\xD8",
                4 => b"\xF4\x90\x80\x80\xFF\xFF\xFF\xBF\xBF\xFE\xBF\xBF",
                _ => b"\xF0\x9F\x98\xE2\x82\xC0\x80\xF8\x88\x80\x80\x80",
            };
            let some = bytes.iter().take(1 + random.below(12)).copied();
            let some: Vec<u8> = some.collect();
            let whole = some.len() / size_of::<E::Unit>() * size_of::<E::Unit>();
            units.extend(
                some[..whole].chunks(size_of::<E::Unit>()).map(bytemuck::pod_read_unaligned::<E::Unit>),
            );
        }
    }
    units
}

fn same_when_validated<E: Encoding<Unit: bytemuck::Pod>>(src: &[E::Unit]) {
    assert_eq!(par_validate::<E>(src), validate::<E>(src), "{}: {src:02X?}", E::NAME);
}

fn same_when_converted<S: Encoding<Unit: bytemuck::Pod>, D: Encoding<Unit: bytemuck::Pod>>(
    src: &[S::Unit],
    policy: Policy<'_>,
) {
    let who = (S::NAME, D::NAME);
    assert_eq!(par_transcode_to_vec::<S, D>(src), transcode_to_vec::<S, D>(src), "{who:?}: {src:02X?}");
    let serial = transcode_lossy_to_vec::<S, D>(src, policy);
    let parallel = par_transcode_lossy_to_vec::<S, D>(src, policy);
    assert!(parallel == serial, "{who:?}, {policy:?}: {src:02X?}");
    // All of that on all cores, also where the target lacks characters. (Only a reserved sequence may have any length.)
    let joins = matches!(D::VARIANT, Variant::Wtf8) && policy.drops();
    let is_long = size_of_val(src) > 3 * BLOCK && !matches!(S::VARIANT, Variant::CorrectedUtf8);
    let in_blocks = lossy_in_blocks::<S, D>(Engine::current(), src, policy);
    assert!(in_blocks.is_some() || joins || !is_long, "{who:?}, {policy:?}: {src:02X?}");
    assert!(in_blocks.is_none_or(|units| units == serial), "{who:?}, {policy:?}: {src:02X?}");
}

macro_rules! same {
    ($random:ident, $policies:ident: $($source:ty => $($target:ty)*;)*) => {$(
        for _ in 0..400 {
            let src = text::<$source>(&mut $random);
            same_when_validated::<$source>(&src);
            $(
                let policy = $policies[$random.below($policies.len())];
                same_when_converted::<$source, $target>(&src, policy);
            )*
        }
    )*};
}

#[test]
fn same_as_serial() {
    let mut random = Random(1);
    let mut policies =
        vec![Policy::With(""), Policy::With("<é>"), Policy::DropAtTheRiskOfJoining, Policy::Omit];
    policies.extend(Replacement::ALL.map(Policy::from));
    policies.extend(Escape::ALL.map(Policy::from));
    same! {
        random, policies:
        Ascii => Utf8;
        Latin1 => Utf8 Ascii;
        Utf8 => Utf8 Utf16Le Latin1 Ascii;
        Utf16 => Utf8 Wtf8 Latin1;
        Utf16Be =>;
        Utf32 =>;
        Wtf8 => Utf8 Utf16;
        CorrectedUtf8 => Utf8 Utf16;
        Wtf16Le => Wtf8;
        GeneralizedUtf8 => Wtf8;
        Cesu8 =>;
        WobblyCesu8 => Utf8;
        Mutf8 =>;
        WobblyMutf8 =>;
    }
}

#[test]
fn cuts_are_character_boundaries() {
    let continuation = [&[b'a'; 60][..], &[0x80; 100], b"\xC3\xA9b", &[0x80; 40]].concat();
    assert_eq!(cut::<Utf8>(&continuation, 70), 59);
    assert_eq!(cut::<Utf8>(&continuation, 62), 59);
    // A continuation byte after so many others is a sequence by itself.
    assert_eq!(cut::<Utf8>(&continuation, 90), 90);
    assert_eq!(cut::<Utf8>(&continuation, 180), 180);
    // A reserved sequence is not cut.
    let reserved = [&b"a\xFE"[..], &[0x80; 100], b"b"].concat();
    assert_eq!(cut::<crate::CorrectedUtf8>(&reserved, 50), 102);
    assert_eq!(cut::<crate::CorrectedUtf8>(&reserved, 5), 0);
    assert_eq!(cut::<Utf8>("aᚱᚱ".as_bytes(), 6), 4);
    assert_eq!(cut::<Wtf8>(b"a\xED\xA0\x80\xED\xB0\x80", 4), 1);
    assert_eq!(cut::<Wtf8>(b"\xED\xB0\x80\xED\xB0\x80", 4), 3);
    assert_eq!(cut::<Utf16>(&[0x61, 0xD83E, 0xDEA8], 2), 1);
    assert_eq!(cut::<Utf16>(&[0x61, 0xDEA8, 0xDEA8], 2), 2);
    assert_eq!(cut::<Utf16Be>(b"\0a\xD8\x3E\xDE\xA8", 5), 2);
}
