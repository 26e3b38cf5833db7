//! Offsets the slow way: one character after the other, each place written down.

use runecast::Engine;
use runecast::index::{Misplaced, OffsetMap, Position, Text, Unit};

/// All units.
pub const UNITS: [Unit; 3] = [Unit::Utf8, Unit::Utf16, Unit::Char];

/// A place between characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Place {
    /// In the text's own units.
    at: usize,
    utf8: usize,
    utf16: usize,
    chars: usize,
    line: usize,
}

impl Place {
    fn offset(self, unit: Unit) -> usize {
        match unit {
            Unit::Utf8 => self.utf8,
            Unit::Utf16 => self.utf16,
            Unit::Char => self.chars,
        }
    }
}

/// A text, gone through.
pub struct Model {
    /// In order; the last is the end. Between CR and LF there is one, too.
    places: Vec<Place>,
    /// Indices of `places`: where each line begins, and where it ends without its line break.
    lines: Vec<(usize, usize)>,
    /// The index of the last place at or before each offset of the text.
    of_at: Vec<usize>,
    own: Unit,
}

/// A character, or an unpaired surrogate: its sizes, and whether it is CR or LF.
struct Character {
    own: usize,
    utf8: usize,
    utf16: usize,
    value: u32,
}

impl Model {
    pub fn of_str(text: &str) -> Model {
        let characters = text.chars().map(|character| Character {
            own: character.len_utf8(),
            utf8: character.len_utf8(),
            utf16: character.len_utf16(),
            value: character.into(),
        });
        Model::new(characters, Unit::Utf8)
    }

    pub fn of_utf16(text: &[u16]) -> Model {
        let characters = char::decode_utf16(text.iter().copied()).map(|decoded| match decoded {
            Ok(character) => Character {
                own: character.len_utf16(),
                utf8: character.len_utf8(),
                utf16: character.len_utf16(),
                value: character.into(),
            },
            Err(_) => Character { own: 1, utf8: 3, utf16: 1, value: 0xD800 },
        });
        Model::new(characters, Unit::Utf16)
    }

    fn new(characters: impl Iterator<Item = Character>, own: Unit) -> Model {
        let mut here = Place { at: 0, utf8: 0, utf16: 0, chars: 0, line: 0 };
        let (mut places, mut lines) = (vec![here], Vec::new());
        let (mut start, mut before) = (0, 0);
        for Character { own, utf8, utf16, value } in characters {
            let index = places.len() - 1;
            if value == u32::from('\n') && before == u32::from('\r') {
                // The place between them is still in the line.
                places[index].line -= 1;
                start = index + 1;
            } else if value == u32::from('\n') || value == u32::from('\r') {
                lines.push((start, index));
                start = index + 1;
                here.line += 1;
            }
            before = value;
            here = Place {
                at: here.at + own,
                utf8: here.utf8 + utf8,
                utf16: here.utf16 + utf16,
                chars: here.chars + 1,
                line: here.line,
            };
            places.push(here);
        }
        lines.push((start, places.len() - 1));
        let mut of_at = Vec::new();
        for (index, pair) in places.windows(2).enumerate() {
            of_at.resize(pair[1].at, index);
        }
        of_at.push(places.len() - 1);
        Model { places, lines, of_at, own }
    }

    /// The length of the text, in its own units.
    pub fn len(&self) -> usize {
        self.of_at.len() - 1
    }

    pub fn len_in(&self, unit: Unit) -> usize {
        self.places[self.places.len() - 1].offset(unit)
    }

    pub fn lines(&self) -> usize {
        self.lines.len()
    }

    /// The place at or before `at`, and whether it is there.
    fn place(&self, at: usize) -> (Place, Result<(), Misplaced>) {
        let Some(&index) = self.of_at.get(at) else {
            return (self.places[self.places.len() - 1], Err(Misplaced::Outside));
        };
        let place = self.places[index];
        (place, if place.at == at { Ok(()) } else { Err(Misplaced::Inside) })
    }

    /// Among some places in a row, the last at or before an offset, counted from the first of them.
    fn find(&self, (first, last): (usize, usize), unit: Unit, n: usize) -> (Place, Result<(), Misplaced>) {
        let base = self.places[first].offset(unit);
        let places = &self.places[first..=last];
        let index = places.partition_point(|place| place.offset(unit) - base <= n) - 1;
        let found = places[index].offset(unit) - base;
        let verdict = match found == n {
            true => Ok(()),
            false if index == places.len() - 1 => Err(Misplaced::Outside),
            false => Err(Misplaced::Inside),
        };
        (places[index], verdict)
    }

    /// What there is to say about an offset of the text.
    pub fn check_place(&self, asker: &impl Ask, at: usize) {
        let (place, verdict) = self.place(at);
        for unit in UNITS {
            assert_eq!(asker.offset(at, unit), place.offset(unit), "{unit:?} before {at}");
            let strictly = asker.try_offset(at, unit);
            assert_eq!(strictly, verdict.map(|()| place.offset(unit)), "{unit:?} before {at}, strictly");
        }
        assert_eq!(asker.line(at), place.line, "the line of {at}");

        let (start, end) = self.lines[place.line];
        let (start, end) = (self.places[start], self.places[end]);
        // Behind the CR of CR LF.
        let (rounded, verdict) = match place.at > end.at {
            true => (end, verdict.and(Err(Misplaced::Inside))),
            false => (place, verdict),
        };
        for unit in UNITS {
            let position = Position { line: place.line, column: rounded.offset(unit) - start.offset(unit) };
            assert_eq!(asker.position(at, unit), position, "the position of {at} in {unit:?}");
            assert_eq!(asker.try_position(at, unit), verdict.map(|()| position), "of {at} in {unit:?}");
        }
    }

    /// What there is to say about an offset in other units, and about a line of that number.
    pub fn check_offset(&self, asker: &impl Ask, n: usize) {
        for unit in UNITS {
            let (place, verdict) = self.find((0, self.places.len() - 1), unit, n);
            assert_eq!(asker.at_offset(n, unit), place.at, "the place of {n} in {unit:?}");
            let strictly = asker.try_at_offset(n, unit);
            assert_eq!(strictly, verdict.map(|()| place.at), "the place of {n} in {unit:?}, strictly");
        }
        let start = self.lines.get(n).map_or(self.len(), |(start, _)| self.places[*start].at);
        assert_eq!(asker.at_line(n), start, "the beginning of line {n}");
    }

    /// What there is to say about a column of a line.
    pub fn check_position(&self, asker: &impl Ask, line: usize, column: usize) {
        for unit in UNITS {
            let position = Position { line, column };
            let (at, verdict) = match self.lines.get(line) {
                None => (self.len(), Err(Misplaced::Outside)),
                Some(range) => {
                    let (place, verdict) = self.find(*range, unit, column);
                    (place.at, verdict.map(|()| place.at))
                }
            };
            assert_eq!(asker.at_position(position, unit), at, "the place of {position:?} in {unit:?}");
            assert_eq!(asker.try_at_position(position, unit), verdict, "{position:?} in {unit:?}, strictly");
        }
    }

    /// The columns of a line, at most, in any unit.
    pub fn columns(&self, line: usize) -> usize {
        let (start, end) = self.lines[line];
        self.places[end].utf8 - self.places[start].utf8
    }

    /// Everything, of every `step`-th place from the first on.
    pub fn check(&self, asker: &impl Ask, step: usize) {
        for at in (0..=self.len() + 2).step_by(step) {
            self.check_place(asker, at);
        }
        for n in (0..=self.len_in(Unit::Utf8) + 2).step_by(step) {
            self.check_offset(asker, n);
        }
        for line in (0..=self.lines()).step_by(step) {
            let columns = if line < self.lines() { self.columns(line) } else { 0 };
            for column in (0..=columns + 1).step_by(step) {
                self.check_position(asker, line, column);
            }
        }
        for end in [usize::MAX, usize::MAX / 2, usize::MAX / 4] {
            self.check_place(asker, end);
            self.check_offset(asker, end);
            self.check_position(asker, end, end);
            self.check_position(asker, 0, end);
        }
        let own = self.own;
        assert_eq!(asker.offset(usize::MAX, own), self.len());
    }
}

/// Who can be asked about a text.
pub trait Ask {
    fn offset(&self, at: usize, unit: Unit) -> usize;
    fn at_offset(&self, offset: usize, unit: Unit) -> usize;
    fn line(&self, at: usize) -> usize;
    fn at_line(&self, line: usize) -> usize;
    fn position(&self, at: usize, unit: Unit) -> Position;
    fn at_position(&self, position: Position, unit: Unit) -> usize;
    fn try_offset(&self, at: usize, unit: Unit) -> Result<usize, Misplaced>;
    fn try_at_offset(&self, offset: usize, unit: Unit) -> Result<usize, Misplaced>;
    fn try_position(&self, at: usize, unit: Unit) -> Result<Position, Misplaced>;
    fn try_at_position(&self, position: Position, unit: Unit) -> Result<usize, Misplaced>;
}

/// A text, and who answers.
pub struct About<'a, A, T: ?Sized>(pub A, pub &'a T);

macro_rules! answers {
    ($($who:ty),*) => {$(
        impl<T: Text + ?Sized> Ask for About<'_, $who, T> {
            fn offset(&self, at: usize, unit: Unit) -> usize {
                let by_name = match unit {
                    Unit::Utf8 => self.0.utf8_offset(self.1, at),
                    Unit::Utf16 => self.0.utf16_offset(self.1, at),
                    Unit::Char => self.0.char_offset(self.1, at),
                };
                assert_eq!(by_name, self.0.offset(self.1, at, unit));
                by_name
            }
            fn at_offset(&self, offset: usize, unit: Unit) -> usize {
                let by_name = match unit {
                    Unit::Utf8 => self.0.at_utf8(self.1, offset),
                    Unit::Utf16 => self.0.at_utf16(self.1, offset),
                    Unit::Char => self.0.at_char(self.1, offset),
                };
                assert_eq!(by_name, self.0.at_offset(self.1, offset, unit));
                by_name
            }
            fn line(&self, at: usize) -> usize {
                self.0.line(self.1, at)
            }
            fn at_line(&self, line: usize) -> usize {
                self.0.at_line(self.1, line)
            }
            fn position(&self, at: usize, unit: Unit) -> Position {
                self.0.position(self.1, at, unit)
            }
            fn at_position(&self, position: Position, unit: Unit) -> usize {
                self.0.at_position(self.1, position, unit)
            }
            fn try_offset(&self, at: usize, unit: Unit) -> Result<usize, Misplaced> {
                self.0.try_offset(self.1, at, unit)
            }
            fn try_at_offset(&self, offset: usize, unit: Unit) -> Result<usize, Misplaced> {
                self.0.try_at_offset(self.1, offset, unit)
            }
            fn try_position(&self, at: usize, unit: Unit) -> Result<Position, Misplaced> {
                self.0.try_position(self.1, at, unit)
            }
            fn try_at_position(&self, position: Position, unit: Unit) -> Result<usize, Misplaced> {
                self.0.try_at_position(self.1, position, unit)
            }
        }
    )*};
}

answers!(Engine, &OffsetMap<T>);
