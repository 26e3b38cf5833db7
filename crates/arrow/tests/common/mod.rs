//! Arrays of all types, with whatever an array may have under its nulls and outside of its slices.

#![allow(dead_code)] // each test uses some of it

use std::sync::Arc;

use arrow_array::builder::BooleanBufferBuilder;
use arrow_array::cast::AsArray;
use arrow_array::types::{Int8Type, UInt32Type};
use arrow_array::{
    Array, ArrayRef, BinaryArray, BinaryViewArray, DictionaryArray, Int8Array, LargeBinaryArray, UInt32Array,
};
use arrow_buffer::{Buffer, NullBuffer, OffsetBuffer};
use arrow_schema::DataType;
use proptest::prelude::*;

/// The bytes of a row, if it is not null.
pub type Row = Option<Vec<u8>>;

/// Rows, and a slice of them.
#[derive(Clone, Debug)]
pub struct Case {
    pub all: Vec<Row>,
    /// What is under the nulls, where something may be.
    pub hidden: Vec<u8>,
    pub from: usize,
    pub len: usize,
}

impl Case {
    /// The rows of the slice.
    pub fn rows(&self) -> &[Row] {
        &self.all[self.from..self.from + self.len]
    }

    /// The slice as arrays of binary of all types.
    pub fn arrays(&self) -> Vec<ArrayRef> {
        let (all, hidden) = (&self.all, &self.hidden[..]);
        let offsets = |values: &mut Vec<u8>| {
            let mut ends = vec![0];
            for row in all {
                values.extend_from_slice(row.as_deref().unwrap_or(hidden));
                ends.push(values.len());
            }
            ends
        };
        let mut values = Vec::new();
        let ends = offsets(&mut values);
        let narrow = OffsetBuffer::new(ends.iter().map(|end| *end as i32).collect());
        let wide = OffsetBuffer::new(ends.iter().map(|end| *end as i64).collect());
        let values = Buffer::from_vec(values);
        let views = BinaryViewArray::from_iter_values(all.iter().map(|row| row.as_deref().unwrap_or(hidden)));
        let (views, buffers, _) = views.into_parts();
        let whole: Vec<ArrayRef> = vec![
            Arc::new(BinaryArray::new(narrow, values.clone(), nulls(all))),
            Arc::new(LargeBinaryArray::new(wide, values, nulls(all))),
            Arc::new(BinaryViewArray::new(views, buffers, nulls(all))),
            Arc::new(dictionary(all, hidden, true)),
            Arc::new(dictionary(all, hidden, false)),
        ];
        whole.into_iter().map(|array| array.slice(self.from, self.len)).collect()
    }
}

/// The bitmap, if there is a null.
pub fn nulls(rows: &[Row]) -> Option<NullBuffer> {
    let mut bits = BooleanBufferBuilder::new(rows.len());
    rows.iter().for_each(|row| bits.append(row.is_some()));
    rows.iter().any(Option::is_none).then(|| NullBuffer::new(bits.finish()))
}

/// A dictionary with each value once, from the last row on, and one that no row has; nulls are keys, or rows of a null
/// value with something under it.
fn dictionary(rows: &[Row], hidden: &[u8], by_key: bool) -> DictionaryArray<UInt32Type> {
    let mut values: Vec<Row> = vec![None];
    for row in rows.iter().rev().flatten() {
        if !values.contains(&Some(row.clone())) {
            values.push(Some(row.clone()));
        }
    }
    let place = |row: &Row| values.iter().position(|value| value == row).expect("it is there") as u32;
    let keys: UInt32Array = rows.iter().map(|row| (!by_key || row.is_some()).then(|| place(row))).collect();
    let mut bytes = Vec::new();
    let mut ends = vec![0];
    for value in &values {
        bytes.extend_from_slice(value.as_deref().unwrap_or(hidden));
        ends.push(bytes.len() as i32);
    }
    bytes.extend_from_slice(b"\xFF");
    ends.push(bytes.len() as i32);
    values.push(Some(b"\xFF".to_vec()));
    let values = BinaryArray::new(OffsetBuffer::new(ends.into()), Buffer::from_vec(bytes), nulls(&values));
    DictionaryArray::new(keys, Arc::new(values))
}

/// The rows of an array of bytes or text of any type.
pub fn rows_of(array: &dyn Array) -> Vec<Row> {
    if let Some(dictionary) = array.as_any_dictionary_opt() {
        let values = rows_of(dictionary.values());
        let keys = arrow_cast::cast(dictionary.keys(), &DataType::UInt64).expect("numbers");
        let keys = keys.as_primitive::<arrow_array::types::UInt64Type>();
        return keys.iter().map(|key| values[key? as usize].clone()).collect();
    }
    let text = |text: Option<&str>| text.map(|text| text.as_bytes().to_vec());
    let bytes = |bytes: Option<&[u8]>| bytes.map(<[u8]>::to_vec);
    match array.data_type() {
        DataType::Binary => array.as_binary::<i32>().iter().map(bytes).collect(),
        DataType::LargeBinary => array.as_binary::<i64>().iter().map(bytes).collect(),
        DataType::BinaryView => array.as_binary_view().iter().map(bytes).collect(),
        DataType::FixedSizeBinary(_) => array.as_fixed_size_binary().iter().map(bytes).collect(),
        DataType::Utf8 => array.as_string::<i32>().iter().map(text).collect(),
        DataType::LargeUtf8 => array.as_string::<i64>().iter().map(text).collect(),
        DataType::Utf8View => array.as_string_view().iter().map(text).collect(),
        other => panic!("{other} is neither"),
    }
}

/// All that can be checked about an array is checked: of text, that all of its bytes are UTF-8.
pub fn assert_sound(array: &dyn Array) {
    array.to_data().validate_full().expect("sound");
    if let Some(dictionary) = array.as_any_dictionary_opt() {
        assert_sound(dictionary.values());
    }
}

/// A dictionary with narrow keys.
pub fn small_dictionary(keys: Vec<Option<i8>>, values: ArrayRef) -> DictionaryArray<Int8Type> {
    DictionaryArray::new(Int8Array::from(keys), values)
}

/// Rows of text that is mostly well-formed: some ill-formed ones, and lengths around those that views hold inline.
pub fn cases(damage: u32) -> impl Strategy<Value = Case> {
    let good = prop_oneof![
        4 => Just("a".to_owned()), 2 => Just("rune".to_owned()), 2 => Just("ú".to_owned()), 2 => Just("ᚱ".to_owned()),
        1 => Just("🪨".to_owned()), 1 => Just("a line that is longer than a view".to_owned()), 1 => ".{0,6}",
    ]
    .prop_map(String::into_bytes);
    let bad = prop_oneof![
        Just(b"\xFF".to_vec()),
        Just(b"\x80".to_vec()),
        Just(b"\xE2\x82".to_vec()),
        Just(b"\xED\xA0\x80".to_vec()),
        Just(b"\xF0\x9F\xAA".to_vec()),
        Just(b"\xC0\xAF".to_vec()),
    ];
    let piece = prop_oneof![100 => good, damage => bad];
    let value = prop::collection::vec(piece, 0..6).prop_map(|pieces| pieces.concat());
    let row = prop_oneof![5 => value.clone().prop_map(Some), 1 => Just(None)];
    let clean = prop::collection::vec(value.prop_map(Some), 0..90);
    let rows = prop_oneof![2 => prop::collection::vec(row, 0..90), 1 => clean];
    let hidden =
        prop_oneof![Just(vec![]), Just(b"\xE2\x82".to_vec()), Just(b"null".to_vec()), Just(vec![0xFF; 20])];
    (rows, hidden, any::<prop::sample::Index>(), any::<prop::sample::Index>()).prop_map(
        |(all, hidden, from, len)| {
            let from = from.index(all.len() + 1);
            // Half of them whole.
            let from = if len.index(2) == 0 { 0 } else { from };
            let len = if from == 0 { all.len() } else { len.index(all.len() - from + 1) };
            Case { all, hidden, from, len }
        },
    )
}
