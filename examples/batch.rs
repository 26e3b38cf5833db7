//! A column of names, as it comes in: is every value text, and if not, which is not? Then repaired, and in
//! UTF-16 for those who want that.
//!
//!     cargo run --example batch

use runecast::batch::{Validity, repair_offsets, transcode_offsets, validate_offsets};
use runecast::{Replacement, Utf8, Utf16};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let values = b"Sigr\xC3\xBAnBirgitThorbj\xF8rn";
    let offsets = [0, 7, 13, 22]; // the values are values[0..7], values[7..13], values[13..22]
    let validity = Validity::new(&[0b111], 0); // none is null

    // All values at once; the error says which, and where in it.
    let error = validate_offsets::<Utf8>(values, &offsets, Some(validity)).unwrap_err();
    println!("{error}");
    assert_eq!(error.index, 2);

    // New values and offsets; or None, if there is nothing to be done.
    if let Some(new) = repair_offsets(values, &offsets, Some(validity), Replacement::Whatwg)? {
        assert_eq!(new.offsets, [0, 7, 13, 24]);
        let wide = transcode_offsets::<Utf8, Utf16, i32>(&new.values, &new.offsets, Some(validity))?;
        assert_eq!(wide.offsets, [0, 6, 12, 21]);
        println!("{}", String::from_utf16(&wide.values)?);
    }
    Ok(())
}
