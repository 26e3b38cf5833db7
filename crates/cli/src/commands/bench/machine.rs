//! The machine: what it is called, what it can do, and how fast it can read and copy.
//!
//! **Reading** is the sum of all bytes, eight at a time, in the widest vectors of this CPU: the loop is plain Rust,
//! compiled once for each set of vectors, and the right one is found at the first call. A loop for every x86-64 would
//! read 16 bytes with each instruction and be a limit that the kernels exceed. **Copying** is what std does: the
//! `memcpy` of the system.
//!
//! No operation that has to look at every byte can be much faster than the first, none that writes as much as it reads
//! faster than the second. Not by much: for a sum the bytes have to be added, too, and a few instructions more or less
//! show where everything is in the first-level cache.

use std::fs;

use multiversion::multiversion;

/// A CPU, as far as the system describes it.
#[derive(Clone, Debug)]
pub(super) struct Machine {
    /// What its maker calls it.
    pub(super) cpu: String,
    /// Name and bytes of each cache of one core, the nearest first.
    pub(super) caches: Vec<(String, u64)>,
}

impl Machine {
    /// This one. What the system does not report is left out.
    pub(super) fn this() -> Machine {
        let cpu = fs::read_to_string("/proc/cpuinfo").ok().and_then(|info| model(&info));
        let cpu = cpu.unwrap_or_else(|| format!("{} CPU", std::env::consts::ARCH));
        let caches = (0..8)
            .filter_map(|index| {
                let directory = format!("/sys/devices/system/cpu/cpu0/cache/index{index}");
                let entry = |name: &str| fs::read_to_string(format!("{directory}/{name}")).ok();
                if entry("type")?.trim() == "Instruction" {
                    return None;
                }
                let bytes = crate::ui::size::parse(entry("size")?.trim()).ok()?;
                Some((format!("L{}", entry("level")?.trim()), bytes))
            })
            .collect();
        Machine { cpu, caches }
    }
}

/// The name of the CPU, in what Linux says about it.
fn model(info: &str) -> Option<String> {
    let line = info.lines().find(|line| line.starts_with("model name"))?;
    let (_, name) = line.split_once(':')?;
    // Some makers mark their names, and all pad them.
    let name = name.replace("(R)", "").replace("(TM)", "");
    let words: Vec<_> = name.split_whitespace().collect();
    (!words.is_empty()).then(|| words.join(" "))
}

/// Reads all bytes, and returns their sum in words of eight.
#[multiversion(targets("x86_64+avx512f+avx512bw+avx512vl", "x86_64+avx2", "aarch64+neon",))]
pub(super) fn read(src: &[u8]) -> u64 {
    let (words, rest) = src.as_chunks::<8>();
    let sum = words.iter().fold(0_u64, |sum, word| sum.wrapping_add(u64::from_ne_bytes(*word)));
    rest.iter().fold(sum, |sum, byte| sum.wrapping_add(u64::from(*byte)))
}

/// Copies all bytes for which there is room, and returns their number.
pub(super) fn copy(src: &[u8], dst: &mut [u8]) -> usize {
    let length = src.len().min(dst.len());
    dst[..length].copy_from_slice(&src[..length]);
    length
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_byte_is_read() {
        let mut bytes = vec![0_u8; 1000];
        for at in 0..bytes.len() {
            bytes[at] = 1;
            // Whole words are summed up as the CPU stores them, the rest byte by byte.
            let shift = if cfg!(target_endian = "big") { 7 - at % 8 } else { at % 8 };
            let expected = 1_u64 << (8 * shift);
            assert_eq!(read(&bytes), expected, "{at}");
            assert_eq!(read(&bytes[..=at]), if (at + 1) % 8 == 0 { expected } else { 1 }, "{at}");
            bytes[at] = 0;
        }
    }

    #[test]
    fn as_much_is_copied_as_there_is_room_for() {
        let mut dst = [0; 3];
        assert_eq!((copy(b"runes", &mut dst), &dst), (3, b"run"));
        assert_eq!((copy(b"xy", &mut dst), &dst), (2, b"xyn"));
    }

    #[test]
    fn the_name_of_a_cpu_is_tidied() {
        let info =
            "processor\t: 0\nmodel\t\t: 17\nmodel name\t: Intel(R) Core(TM) i7  CPU @ 2\nmodel name\t: x\n";
        assert_eq!(model(info).as_deref(), Some("Intel Core i7 CPU @ 2"));
        assert_eq!(model("model name\t:  \n"), None);
        assert_eq!(model("Features : fp asimd"), None);
    }
}
