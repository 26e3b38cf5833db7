//! Inputs and outputs against pages that must not be touched.
//!
//! A canary shows a byte written too far, and a page shows one that is only read, or written back
//! unchanged.

use super::text::{characters, irregular, limit};
use crate::common::check::engines;
use crate::common::guard::Guarded;
use crate::common::scale::step;
use crate::common::texts::{Class, Rng};
use crate::encodings::expected::Expected;
use crate::encodings::pairs::PAIRS;

#[test]
fn nothing_outside_is_touched() {
    let (mut input, mut output) = (Guarded::new(4096), Guarded::new(4096));
    let mut rng = Rng::new(9);
    for pair in PAIRS {
        let irregular = irregular(&pair.source);
        for class in Class::ALL {
            for count in (0..=150).step_by(step(7, 13)) {
                let mut bytes = pair.source.encode_all(characters(class, limit(pair), count, &mut rng));
                if count % 4 == 3 && !irregular.is_empty() {
                    bytes.extend(&irregular[rng.below(irregular.len())]);
                    bytes.extend(pair.source.encode_all(characters(class, limit(pair), count / 2, &mut rng)));
                }
                let expected = Expected::of(&pair.source.decode(&bytes), &pair.target);
                let all = expected.output.len();
                for room in
                    [all, all.saturating_sub(pair.target.unit), all / 2 / pair.target.unit * pair.target.unit]
                {
                    for engine in engines() {
                        let who = format!("{engine:?} at guard pages");
                        let src = input.at_end(&bytes);
                        let dst = output.end_mut(room);
                        let outcome = (pair.transcode)(engine, src, dst);
                        let right = expected.hold(pair, src, room, outcome, &who);
                        assert_eq!(dst[..right.len()], *right, "{who}");

                        let src = input.at_start(&bytes);
                        let dst = output.start_mut(room);
                        let outcome = (pair.transcode)(engine, src, dst);
                        let right = expected.hold(pair, src, room, outcome, &who);
                        assert_eq!(dst[..right.len()], *right, "{who}");
                    }
                }
            }
        }
    }
}
