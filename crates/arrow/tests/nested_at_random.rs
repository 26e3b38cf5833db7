//! Arrays in arrays at random: what becomes of a row depends on this row alone, whatever array it is in.

use std::sync::Arc;

use arrow_array::types::Int32Type;
use arrow_array::{
    Array, ArrayRef, BinaryArray, DictionaryArray, FixedSizeListArray, Int8Array, Int32Array, ListArray,
    RunArray, StructArray,
};
use arrow_buffer::{NullBuffer, OffsetBuffer};
use arrow_schema::{Field, Fields};
use runecast::{Replacement, Scheme};
use runecast_arrow::{check, decode_or_null, repair, text_type};

/// Mostly well-formed.
const VALUES: [Option<&[u8]>; 8] = [
    Some(b"r\xC3\xBAn"),
    Some(b""),
    Some(b"plain, and longer than a view holds"),
    Some("ᚱ".as_bytes()),
    Some(b"r\xC3\xBAn"),
    Some(b""),
    Some(b"plain, and longer than a view holds"),
    Some(b"\xFF"),
];

/// Numbers that look like chance.
struct Lot(u64);

impl Lot {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % limit
    }

    fn nulls(&mut self, len: usize) -> Option<NullBuffer> {
        (self.below(2) == 0).then(|| (0..len).map(|_| self.below(4) > 0).collect())
    }

    /// An array of so many rows, around others to that depth. Fields may be null only where there are nulls.
    fn array(&mut self, len: usize, depth: usize) -> ArrayRef {
        let kind = if depth == 0 { 4 + self.below(3) } else { self.below(4) };
        let value = |lot: &mut Lot| VALUES[lot.below(VALUES.len())];
        match kind {
            0 => {
                let lengths: Vec<usize> = (0..len).map(|_| self.below(4)).collect();
                let inner = self.array(lengths.iter().sum(), depth - 1);
                let nulls = self.nulls(len);
                let field = Arc::new(Field::new("item", inner.data_type().clone(), inner.is_nullable()));
                Arc::new(ListArray::new(field, OffsetBuffer::from_lengths(lengths), inner, nulls))
            }
            1 => {
                let size = 1 + self.below(2);
                let inner = self.array(len * size, depth - 1);
                let nulls = self.nulls(len);
                let field = Arc::new(Field::new("item", inner.data_type().clone(), inner.is_nullable()));
                Arc::new(FixedSizeListArray::new(field, size as i32, inner, nulls))
            }
            2 => {
                let columns: Vec<ArrayRef> = (0..2).map(|_| self.array(len, depth - 1)).collect();
                let nulls = self.nulls(len);
                let field = |(name, array): (&str, &ArrayRef)| {
                    Field::new(name, array.data_type().clone(), array.is_nullable())
                };
                let fields: Fields = ["x", "y"].into_iter().zip(&columns).map(field).collect();
                Arc::new(StructArray::new(fields, columns, nulls))
            }
            3 => {
                let mut ends: Vec<i32> = (1..len as i32).filter(|_| self.below(2) == 0).collect();
                ends.extend((len > 0).then_some(len as i32));
                let inner = self.array(ends.len(), 0);
                Arc::new(RunArray::<Int32Type>::try_new(&Int32Array::from(ends), &inner).unwrap())
            }
            4 => {
                let keys: Int8Array = (0..len).map(|_| Some(self.below(5) as i8)).collect();
                let values: BinaryArray = (0..6).map(|_| value(self)).collect();
                Arc::new(DictionaryArray::new(keys, Arc::new(values)))
            }
            5 => Arc::new((0..len).map(|_| value(self)).collect::<BinaryArray>()),
            _ => {
                let nulls = self.nulls(len);
                let values: Vec<&[u8]> = (0..len).map(|_| value(self).unwrap_or(b"")).collect();
                let (ends, values, _) = BinaryArray::from_vec(values).into_parts();
                Arc::new(BinaryArray::new(ends, values, nulls))
            }
        }
    }
}

/// What becomes of a row depends on this row alone, whatever array it is in.
#[test]
fn rows_by_themselves() {
    let mut wrong = 0;
    for seed in 0..1500 {
        let mut lot = Lot(seed);
        let array = lot.array(9, seed as usize % 4);
        let from = lot.below(4);
        let array = array.slice(from, lot.below(6));
        let alone: Vec<ArrayRef> = (0..array.len()).map(|row| array.slice(row, 1)).collect();
        let first = alone.iter().enumerate().find_map(|(row, array)| Some((row, check(array).err()?)));
        let told = |text: &ArrayRef| {
            text.to_data().validate_full().unwrap();
            let shown = arrow_cast::display::ArrayFormatter::try_new(text, &Default::default()).unwrap();
            (0..text.len()).map(|row| shown.value(row).to_string()).collect::<Vec<_>>()
        };
        match (check(&array), first) {
            (Ok(text), None) => {
                assert_eq!(Some(text.data_type()), text_type(array.data_type()).as_ref(), "{seed}");
                assert_eq!(
                    told(&text),
                    alone.iter().flat_map(|row| told(&check(row).unwrap())).collect::<Vec<_>>()
                );
            }
            (Err(error), Some((row, of_row))) => {
                wrong += 1;
                assert_eq!(
                    (error.row(), error.path(), error.at()),
                    (Some(row), of_row.path(), of_row.at()),
                    "{seed}"
                );
            }
            (found, expected) => panic!("{seed}: {found:?}, {expected:?}"),
        }
        for convert in [
            (|array: &dyn Array| decode_or_null(array, Scheme::Utf8)) as fn(&dyn Array) -> _,
            |array| decode_or_null(array, Scheme::Utf16Le),
            |array| repair(array, Replacement::Whatwg),
        ] {
            let expected = alone.iter().flat_map(|row| told(&convert(row).unwrap()));
            assert_eq!(told(&convert(&array).unwrap()), expected.collect::<Vec<_>>(), "{seed}");
        }
    }
    assert!((300..1200).contains(&wrong), "{wrong}");
}
