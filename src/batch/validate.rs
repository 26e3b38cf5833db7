//! Validation of arrays: in bulk, and value by value where something is wrong.

use crate::encoding::{Encoding, Kin, Utf8};
use crate::kernel::{Engine, Place, Places};

use super::error::{BatchError, Defect};
use super::validity::{self, Stretches, Validity};
use super::{Offset, view};

/// Bytes that are looked at together: they are still in a near cache when it comes to their boundaries.
const TOGETHER: usize = 32 << 10;

/// Values that are looked at together at least and at most.
const VALUES: [usize; 2] = [256, 8192];

/// Slices that are handed to the kernel at once.
const SLICES: usize = 256;

/// Slices that are looked at one by one where the kernel stopped.
const BY_ITSELF: usize = 64;

impl Engine {
    /// [`validate_offsets`](crate::batch::validate_offsets), with the kernels of this engine.
    ///
    /// # Errors
    /// As there.
    pub fn validate_offsets<E: Encoding>(
        self,
        values: &[E::Unit],
        offsets: &[impl Offset],
        validity: Option<Validity<'_>>,
    ) -> Result<(), BatchError> {
        // Null values with bytes that are ill-formed: there will be more of them.
        let mut hidden = false;
        for_each_group(self, values.len(), offsets, validity, |first, places| {
            if !hidden && is_valid::<E, _>(self, values, places) {
                return Ok(());
            }
            hidden = validity.is_some();
            for stretch in (Stretches { places, validity, first, done: 0 }) {
                if !hidden || !is_valid::<E, _>(self, values, places.values(stretch.clone())) {
                    for value in stretch {
                        self.validate::<E>(&values[places.bounds(value)])
                            .map_err(|error| Defect::from(error).of(first + value))?;
                    }
                }
            }
            Ok(())
        })
    }

    /// [`validate_each`](crate::batch::validate_each), with the kernels of this engine.
    ///
    /// # Errors
    /// As there.
    pub fn validate_each<'a, E: Encoding, T: AsRef<[E::Unit]> + ?Sized + 'a>(
        self,
        values: impl IntoIterator<Item = &'a T>,
    ) -> Result<(), BatchError> {
        let mut group = Group::new(self, 0);
        for value in values {
            group.push::<E>(bytemuck::cast_slice(value.as_ref()))?;
        }
        group.finish::<E>()
    }

    /// [`validate_views`](crate::batch::validate_views), with the kernels of this engine.
    ///
    /// # Errors
    /// As there.
    pub fn validate_views<E: Encoding<Unit = u8>>(
        self,
        views: &[u128],
        buffers: &[&[u8]],
        validity: Option<Validity<'_>>,
    ) -> Result<(), BatchError> {
        validity::check(views.len(), validity)?;
        for (number, some) in views.chunks(SLICES).enumerate() {
            let first = number * SLICES;
            // The bytes in memory are those of the view where the least significant comes first.
            let mut swapped = [0_u128; if cfg!(target_endian = "big") { SLICES } else { 0 }];
            let some = if cfg!(target_endian = "big") {
                for (swapped, view) in swapped.iter_mut().zip(some) {
                    *swapped = view.to_le();
                }
                &swapped[..some.len()]
            } else {
                some
            };
            let mut group = Group::new(self, first);
            for (index, bytes) in bytemuck::cast_slice::<u128, [u8; 16]>(some).iter().enumerate() {
                let is_null = validity.is_some_and(|validity| !validity.is_valid(first + index));
                match if is_null { Ok(&[][..]) } else { view::value(bytes, buffers) } {
                    Ok(value) => group.push::<E>(value)?,
                    Err(defect) => {
                        // What is wrong before it comes first.
                        group.finish::<E>()?;
                        return Err(defect.of(first + index));
                    }
                }
            }
            group.finish::<E>()?;
        }
        Ok(())
    }
}

/// Calls `look` with groups of values, one behind the other, and the number of the first; and ends with the
/// first value whose offsets are not in order.
pub(super) fn for_each_group<O: Place>(
    engine: Engine,
    end: usize,
    offsets: &[O],
    validity: Option<Validity<'_>>,
    mut look: impl FnMut(usize, Places<'_, O>) -> Result<(), BatchError>,
) -> Result<(), BatchError> {
    let count = offsets.len().saturating_sub(1);
    validity::check(count, validity)?;
    let mut first = 0;
    let step = together(offsets);
    loop {
        let some = &offsets[first..offsets.len().min(first + step + 1)];
        let places = Places::of(engine, some, end);
        if places.count() > 0 {
            look(first, places)?;
        }
        if places.offsets().len() < some.len() {
            return Err(Defect::OutOfBounds.of(first + places.count()));
        }
        first += places.count();
        if first >= count {
            return Ok(());
        }
    }
}

/// How many values are looked at together.
fn together<O: Place>(offsets: &[O]) -> usize {
    let bytes = match offsets {
        [first, .., last] => last.number().saturating_sub(first.number()).max(1) as u64,
        _ => 1,
    };
    let values = (TOGETHER as u64).saturating_mul(offsets.len() as u64) / bytes;
    (values.min(VALUES[1] as u64) as usize).max(VALUES[0])
}

/// Whether all of these values, which lie one behind the other, are in order, each by itself. A `false`
/// may be wrong where surrogates are in order alone, but not in pairs.
pub(super) fn is_valid<E: Encoding, O: Place>(
    engine: Engine,
    values: &[E::Unit],
    places: Places<'_, O>,
) -> bool {
    let span = places.span();
    let text = &values[span.clone()];
    match E::LAYOUT.kin() {
        Kin::Single => engine.validate::<E>(text).is_ok(),
        Kin::Eight => {
            let text: &[u8] = bytemuck::cast_slice(text);
            let ascii = engine.ascii_prefix(text);
            ascii == text.len()
                || engine.validate::<Utf8>(&text[ascii..]).is_ok()
                    && !places.any_continuation(engine, bytemuck::cast_slice(values))
        }
        _ => {
            // A character begins where one can be read, and where a unit does.
            let each = E::LAYOUT.unit() / size_of::<E::Unit>();
            let begins = |offset: &O| {
                let at = offset.index() - span.start;
                at % each == 0 && E::decode(&text[at..]).is_ok()
            };
            engine.validate::<E>(text).is_ok() && places.inner().iter().all(begins)
        }
    }
}

/// Some values here and there, as bytes, which are looked at together.
struct Group<'a> {
    engine: Engine,
    values: [&'a [u8]; SLICES],
    len: usize,
    /// The number of the first of them.
    first: usize,
}

impl<'a> Group<'a> {
    #[inline]
    fn new(engine: Engine, first: usize) -> Self {
        Group { engine, values: [&[]; SLICES], len: 0, first }
    }

    #[inline]
    fn push<E: Encoding>(&mut self, value: &'a [u8]) -> Result<(), BatchError> {
        if self.len == SLICES {
            self.finish::<E>()?;
        }
        self.values[self.len] = value;
        self.len += 1;
        Ok(())
    }

    /// Looks at those that have not been looked at.
    fn finish<E: Encoding>(&mut self) -> Result<(), BatchError> {
        let values = &self.values[..self.len];
        let mut at = 0;
        while at < values.len() {
            if matches!(E::LAYOUT.kin(), Kin::Eight) {
                at += self.engine.utf8_valid_values(&values[at..]);
            }
            // Where the kernel stopped, one by one; not all that are left, for it may have been early.
            let end = values.len().min(at + BY_ITSELF);
            for (index, value) in values[at..end].iter().enumerate() {
                let number = self.first + at + index;
                self.engine
                    .validate::<E>(bytemuck::cast_slice(value))
                    .map_err(|error| Defect::from(error).of(number))?;
            }
            at = end;
        }
        self.first += self.len;
        self.len = 0;
        Ok(())
    }
}
