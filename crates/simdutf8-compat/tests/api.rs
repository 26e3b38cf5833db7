//! The shape of the API: one program that names every item, compiled with simdutf8 and with the crate that stands in for it.
//!
//! What compiles with the original and does not compile here is missing here. Errors are compared by their texts and sizes
//! as well, since callers print and store them.
#![cfg(feature = "public_imp")]

use std::error::Error;
use std::fmt::{Debug, Display};

/// What an error of simdutf8 can do.
fn is_error<E: Copy + Clone + Eq + PartialEq + Debug + Display + Error + Send + Sync + Unpin + 'static>(
    _: E,
) {
}

macro_rules! program {
    ($module:ident, $simdutf8:ident) => {
        mod $module {
            use super::is_error;
            use $simdutf8::basic::imp::{ChunkedUtf8Validator, Utf8Validator};
            use $simdutf8::{basic, compat};

            const FROM_UTF8: for<'a> fn(&'a [u8]) -> Result<&'a str, basic::Utf8Error> = basic::from_utf8;
            const FROM_UTF8_MUT: for<'a> fn(&'a mut [u8]) -> Result<&'a mut str, basic::Utf8Error> =
                basic::from_utf8_mut;
            const COMPAT: for<'a> fn(&'a [u8]) -> Result<&'a str, compat::Utf8Error> = compat::from_utf8;
            const COMPAT_MUT: for<'a> fn(&'a mut [u8]) -> Result<&'a mut str, compat::Utf8Error> =
                compat::from_utf8_mut;

            /// Sizes, and texts of errors.
            pub fn texts() -> Vec<String> {
                let basic::Utf8Error = FROM_UTF8(b"\xFF").unwrap_err();
                let mut bytes = *b"caf\xC3 ";
                FROM_UTF8_MUT(&mut bytes[..3]).unwrap().make_ascii_uppercase();
                let basic = FROM_UTF8_MUT(&mut bytes).unwrap_err();
                is_error(basic);
                let invalid = COMPAT(&bytes).unwrap_err();
                is_error(invalid);
                let incomplete = COMPAT_MUT(&mut bytes[..4]).unwrap_err();
                assert_ne!(invalid, incomplete);
                let (at, len): (usize, Option<usize>) = (invalid.valid_up_to(), invalid.error_len());
                assert_eq!((at, len), (3, Some(1)));
                assert_eq!(&bytes, b"CAF\xC3 ");
                vec![
                    format!("{} {}", size_of::<basic::Utf8Error>(), size_of::<compat::Utf8Error>()),
                    format!("{basic} {basic:?} {basic:#?} {:?}", basic.source().is_none()),
                    format!("{invalid} {invalid:?} {invalid:#?} {:?}", invalid.source().is_none()),
                    format!("{incomplete} {incomplete:?} {incomplete:#?}"),
                ]
            }

            use std::error::Error as _;

            /// Types differ from module to module.
            trait Named {
                const NAME: &'static str;
            }

            /// A generic caller, as a parser is.
            unsafe fn in_chunks<V: Utf8Validator>(text: &[u8]) -> Result<(), basic::Utf8Error> {
                let mut validator = unsafe { V::new() };
                for chunk in text.chunks(7) {
                    unsafe { validator.update(chunk) };
                }
                unsafe { validator.finalize() }
            }

            unsafe fn in_blocks<V: ChunkedUtf8Validator>(text: &[u8]) -> Result<(), basic::Utf8Error> {
                let mut validator = unsafe { V::new() };
                let (blocks, rest) = text.split_at(text.len() / 64 * 64);
                unsafe { validator.update_from_chunks(blocks) };
                unsafe { validator.finalize(Some(rest).filter(|rest| !rest.is_empty())) }
            }

            macro_rules! module {
                ($imp:ident :: $isa:ident) => {
                    impl Named for basic::imp::$imp::$isa::Utf8ValidatorImp {
                        const NAME: &'static str = stringify!($isa);
                    }
                    impl Named for basic::imp::$imp::$isa::ChunkedUtf8ValidatorImp {
                        const NAME: &'static str = stringify!($isa);
                    }

                    fn $isa() -> &'static str {
                        use basic::imp::$imp::$isa as by_basic;
                        use compat::imp::$imp::$isa as by_compat;

                        let validate: unsafe fn(&[u8]) -> Result<(), basic::Utf8Error> =
                            by_basic::validate_utf8;
                        let compat: unsafe fn(&[u8]) -> Result<(), compat::Utf8Error> =
                            by_compat::validate_utf8;
                        for text in [&b"caf\xC3\xA9"[..], b"caf\xC3", &[b'a'; 130], &[0xA9; 130]] {
                            let expected = std::str::from_utf8(text);
                            // SAFETY: the caller has asked for the instruction set.
                            unsafe {
                                assert_eq!(validate(text).is_ok(), expected.is_ok());
                                let chunks = in_chunks::<by_basic::Utf8ValidatorImp>(text);
                                assert_eq!(chunks.is_ok(), expected.is_ok());
                                let blocks = in_blocks::<by_basic::ChunkedUtf8ValidatorImp>(text);
                                assert_eq!(blocks.is_ok(), expected.is_ok());
                                match (compat(text), expected) {
                                    (Ok(()), Ok(_)) => {}
                                    (Err(error), Err(expected)) => {
                                        assert_eq!(error.valid_up_to(), expected.valid_up_to());
                                        assert_eq!(error.error_len(), expected.error_len());
                                    }
                                    other => panic!("{other:?}"),
                                }
                            }
                        }
                        <by_basic::Utf8ValidatorImp as Named>::NAME
                    }
                };
            }

            #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
            module!(x86::sse42);
            #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
            module!(x86::avx2);
            #[cfg(all(target_arch = "aarch64", feature = "aarch64_neon"))]
            module!(aarch64::neon);
            #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
            module!(wasm32::simd128);

            /// The modules that this architecture has.
            #[allow(clippy::vec_init_then_push, reason = "each line has its architecture")]
            pub fn modules() -> Vec<&'static str> {
                let mut names = Vec::new();
                #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
                {
                    names.push(sse42());
                    if std::is_x86_feature_detected!("avx2") {
                        names.push(avx2());
                    }
                }
                #[cfg(all(target_arch = "aarch64", feature = "aarch64_neon"))]
                names.push(neon());
                #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
                names.push(simd128());
                names
            }
        }
    };
}

program!(ours, simdutf8);
program!(theirs, original);

#[test]
fn the_same_program_compiles_with_both_and_prints_the_same() {
    assert_eq!(ours::texts(), theirs::texts());
    #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
    assert!(std::is_x86_feature_detected!("sse4.2"), "simdutf8's modules cannot be called here");
    assert_eq!(ours::modules(), theirs::modules());
}
