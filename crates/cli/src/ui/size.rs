//! Sizes, as people write and read them: `64K` is 65,536 bytes.

/// Reads a number of bytes, with `K`, `M` or `G` behind it, or as `KiB` and so on. All of these are powers of 1024.
pub(crate) fn parse(text: &str) -> Result<u64, String> {
    let digits = text.trim_end_matches(|character: char| !character.is_ascii_digit());
    let power = match text[digits.len()..].trim().to_ascii_lowercase().as_str() {
        "" | "b" => 0,
        "k" | "kib" => 1,
        "m" | "mib" => 2,
        "g" | "gib" => 3,
        _ => return Err("it must be a number, such as 4096, 64K or 1G".to_owned()),
    };
    // The parser of the standard library would take a sign.
    let number =
        digits.bytes().all(|byte| byte.is_ascii_digit()).then(|| digits.parse::<u64>().ok()).flatten();
    let bytes = number.and_then(|number| number.checked_mul(1 << (10 * power)));
    bytes.ok_or_else(|| "it must be a number, such as 4096, 64K or 1G".to_owned())
}

/// Writes it with its unit, in two digits or more. What lacks a hundredth of a whole unit is shown as one: texts end
/// where characters do.
pub(crate) fn shown(bytes: u64) -> String {
    let units = [(1_u64 << 30, "GiB"), (1 << 20, "MiB"), (1 << 10, "KiB")];
    match units.into_iter().find(|&(unit, _)| bytes + unit / 100 >= unit) {
        Some((unit, name)) => {
            let number = bytes as f64 / unit as f64;
            let digits = usize::from(number < 9.95);
            let number = format!("{number:.digits$}");
            format!("{} {name}", number.trim_end_matches(".0"))
        }
        None => format!("{bytes} B"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_read_however_they_are_written() {
        for (text, bytes) in [
            ("0", 0),
            ("100000", 100_000),
            ("64K", 65_536),
            ("64k", 65_536),
            ("2 MiB", 2 << 20),
            ("1G", 1 << 30),
            ("7B", 7),
        ] {
            assert_eq!(parse(text), Ok(bytes), "{text}");
        }
        for text in
            ["", "K", "-1", "+1K", "1.5M", "1T", "1 2", "99999999999999999999", "99999999999999G", "\u{ff11}"]
        {
            assert!(parse(text).is_err(), "{text}");
        }
    }

    #[test]
    fn sizes_are_shown_with_their_unit() {
        for (bytes, text) in [
            (0, "0 B"),
            (1000, "1000 B"),
            (1023, "1 KiB"),
            (1024, "1 KiB"),
            (1536, "1.5 KiB"),
            (10_200, "10 KiB"),
            (131_070, "128 KiB"),
            ((1 << 20) - 3, "1 MiB"),
            (64 << 20, "64 MiB"),
            (3 << 30, "3 GiB"),
        ] {
            assert_eq!(shown(bytes), text);
        }
    }
}
