//! Writes texts to files, for programs that are to be compared on them:
//!
//!     cargo run --release -p runecast-corpus --example texts -- DIRECTORY BYTES SCRIPT…
//!
//! Each file is a text of a megabyte, over and over, up to so many bytes: whole characters.

use std::error::Error;
use std::fs::File;
use std::io::Write as _;
use std::path::Path;

use runecast_corpus::{Script, generate};

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let (Some(directory), Some(bytes)) = (arguments.next(), arguments.next()) else {
        return Err("usage: texts DIRECTORY BYTES SCRIPT…".into());
    };
    let bytes: usize = bytes.parse()?;
    for name in arguments {
        let script: Script = name.parse()?;
        let text = generate(script, 1 << 20, 1);
        let mut file = File::create(Path::new(&directory).join(format!("{name}.txt")))?;
        let mut left = bytes;
        while left > 0 {
            let most = left.min(text.len());
            let end = (0..=most).rev().find(|end| text.is_char_boundary(*end)).unwrap_or(0);
            if end == 0 {
                break;
            }
            file.write_all(&text.as_bytes()[..end])?;
            left -= end;
        }
    }
    Ok(())
}
