//! The operations of an [`Engine`], on one page: the crate's functions, with the kernels of one instruction set.
//!
//! The free functions use [`Engine::current`]. These methods are for comparisons between kernels, and for tests. Arguments,
//! results and errors are those of the function of the same name; a method only passes its engine on. The functions of
//! [`index`](mod@crate::index) have their methods there, where one macro generates both. How an engine is detected, listed,
//! restricted and named is in `kernel/cpu.rs`.

#[cfg(feature = "alloc")]
use alloc::borrow::Cow;
#[cfg(feature = "alloc")]
use alloc::vec::Vec;
use core::mem::MaybeUninit;

#[cfg(feature = "alloc")]
use crate::batch::Converted;
use crate::batch::{self, BatchError, Offset, Validity};
use crate::convert::{self, Policy, Repaired, Repertoire, TranscodeError};
use crate::kernel::{Engine, dispatch};
#[cfg(feature = "rayon")]
use crate::parallel;
use crate::scan::{self, ByteSet, Found, Lines, Position, Records};
use crate::unicode::{Encoding, IllFormed};
use crate::validate::{self, IllFormedSequences};

impl Engine {
    // Check.

    /// As [`validate`](crate::validate()), with the kernels of this engine.
    #[inline]
    pub fn validate<E: Encoding>(self, src: &[E::Unit]) -> Result<(), IllFormed> {
        validate::validate_on::<E>(self, src)
    }

    /// As [`ill_formed`](crate::ill_formed()), with the kernels of this engine.
    #[inline]
    pub fn ill_formed(self, src: &[u8]) -> IllFormedSequences<'_> {
        validate::ill_formed_on(self, src)
    }

    /// As [`ascii_prefix`](crate::ascii_prefix()), with the kernels of this engine.
    #[must_use]
    #[inline]
    pub fn ascii_prefix(self, bytes: &[u8]) -> usize {
        dispatch::validate::ascii_prefix(self, bytes)
    }

    // Scan.

    /// As [`scan::scan`](crate::scan::scan()), with the kernels of this engine.
    ///
    /// # Errors
    /// As there.
    #[inline]
    pub fn scan<const N: usize>(
        self,
        src: &[u8],
        sets: &[ByteSet; N],
        each: impl FnMut(usize, [u64; N]),
    ) -> Result<(), IllFormed> {
        scan::scan_on(self, src, sets, each)
    }

    /// As [`scan::scan_all`](crate::scan::scan_all()), with the kernels of this engine.
    #[inline]
    pub fn scan_all<const N: usize>(
        self,
        src: &[u8],
        sets: &[ByteSet; N],
        each: impl FnMut(usize, [u64; N]),
        ill_formed: impl FnMut(IllFormed),
    ) {
        scan::scan_all_on(self, src, sets, each, ill_formed);
    }

    /// As [`scan::positions`](crate::scan::positions()), with the kernels of this engine.
    #[inline]
    pub fn positions<P: Position>(self, src: &[u8], set: ByteSet, out: &mut [P]) -> Found {
        scan::positions_on(self, src, set, out)
    }

    /// As [`scan::positions_append`](crate::scan::positions_append()), with the kernels of this engine.
    #[cfg(feature = "alloc")]
    #[inline]
    pub fn positions_append<P: Position>(self, src: &[u8], set: ByteSet, out: &mut Vec<P>) -> Found {
        scan::positions_append_on(self, src, set, out)
    }

    /// As [`scan::lines`](crate::scan::lines()), with the kernels of this engine.
    #[inline]
    pub fn lines(self, src: &[u8]) -> Lines<'_> {
        scan::lines_on(self, src)
    }

    /// As [`scan::records`](crate::scan::records()), with the kernels of this engine.
    #[inline]
    pub fn records(self, src: &[u8], delimiters: ByteSet) -> Records<'_> {
        scan::records_on(self, src, delimiters)
    }

    // Convert.

    /// As [`transcode`](crate::transcode()), with the kernels of this engine.
    pub fn transcode<S: Encoding, D: Encoding>(
        self,
        src: &[S::Unit],
        dst: &mut [D::Unit],
    ) -> Result<usize, TranscodeError> {
        convert::transcode_on::<S, D>(self, src, dst)
    }

    /// As [`transcode_uninit`](crate::transcode_uninit()), with the kernels of this engine.
    pub fn transcode_uninit<S: Encoding, D: Encoding>(
        self,
        src: &[S::Unit],
        dst: &mut [MaybeUninit<D::Unit>],
    ) -> Result<usize, TranscodeError> {
        convert::transcode_uninit_on::<S, D>(self, src, dst)
    }

    /// As [`transcode_append`](crate::transcode_append()), with the kernels of this engine.
    #[cfg(feature = "alloc")]
    pub fn transcode_append<S: Encoding, D: Encoding>(
        self,
        src: &[S::Unit],
        dst: &mut Vec<D::Unit>,
    ) -> Result<usize, TranscodeError> {
        convert::transcode_append_on::<S, D>(self, src, dst)
    }

    /// As [`transcode_cow`](crate::transcode_cow()), with the kernels of this engine.
    #[cfg(feature = "alloc")]
    pub fn transcode_cow<S: Encoding, D: Encoding>(
        self,
        src: &[S::Unit],
    ) -> Result<Cow<'_, [D::Unit]>, TranscodeError> {
        convert::transcode_cow_on::<S, D>(self, src)
    }

    // Replace ill-formed text.

    /// As [`transcode_lossy`](crate::transcode_lossy()), with the kernels of this engine.
    pub fn transcode_lossy<'p, S: Encoding, D: Encoding>(
        self,
        src: &[S::Unit],
        dst: &mut [D::Unit],
        policy: impl Into<Policy<'p>>,
    ) -> Result<Repaired, TranscodeError> {
        convert::transcode_lossy_on::<S, D>(self, src, dst, policy)
    }

    /// As [`transcode_lossy_uninit`](crate::transcode_lossy_uninit()), with the kernels of this engine.
    pub fn transcode_lossy_uninit<'p, S: Encoding, D: Encoding>(
        self,
        src: &[S::Unit],
        dst: &mut [MaybeUninit<D::Unit>],
        policy: impl Into<Policy<'p>>,
    ) -> Result<Repaired, TranscodeError> {
        convert::transcode_lossy_uninit_on::<S, D>(self, src, dst, policy)
    }

    /// As [`transcode_lossy_append`](crate::transcode_lossy_append()), with the kernels of this engine.
    #[cfg(feature = "alloc")]
    pub fn transcode_lossy_append<'p, S: Encoding, D: Encoding>(
        self,
        src: &[S::Unit],
        dst: &mut Vec<D::Unit>,
        policy: impl Into<Policy<'p>>,
    ) -> Repaired {
        convert::transcode_lossy_append_on::<S, D>(self, src, dst, policy)
    }

    /// As [`transcode_lossy_len`](crate::transcode_lossy_len()), with the kernels of this engine.
    pub fn transcode_lossy_len<'p, S: Encoding, D: Encoding>(
        self,
        src: &[S::Unit],
        policy: impl Into<Policy<'p>>,
    ) -> Repaired {
        convert::transcode_lossy_len_on::<S, D>(self, src, policy)
    }

    /// As [`to_well_formed`](crate::to_well_formed()), with the kernels of this engine.
    #[inline]
    pub fn to_well_formed(self, units: &mut [u16]) -> usize {
        convert::to_well_formed_on(self, units)
    }

    // Count.

    /// As [`count`](crate::count()), with the kernels of this engine.
    #[must_use]
    pub fn count<E: Encoding>(self, src: &[E::Unit]) -> usize {
        convert::count_on::<E>(self, src)
    }

    /// As [`transcoded_len`](crate::transcoded_len()), with the kernels of this engine.
    #[must_use]
    pub fn transcoded_len<S: Encoding, D: Encoding>(self, src: &[S::Unit]) -> usize {
        convert::transcoded_len_on::<S, D>(self, src)
    }

    /// As [`repertoire`](crate::repertoire()), with the kernels of this engine.
    #[must_use]
    pub fn repertoire<E: Encoding>(self, src: &[E::Unit]) -> Repertoire {
        convert::repertoire_on::<E>(self, src)
    }

    /// As [`fits`](crate::fits()), with the kernels of this engine.
    #[must_use]
    pub fn fits<E: Encoding>(self, src: &[E::Unit], repertoire: Repertoire) -> bool {
        convert::fits_on::<E>(self, src, repertoire)
    }

    // Columns.

    /// As [`validate_offsets`](crate::batch::validate_offsets()), with the kernels of this engine.
    pub fn validate_offsets<E: Encoding>(
        self,
        values: &[E::Unit],
        offsets: &[impl Offset],
        validity: Option<Validity<'_>>,
    ) -> Result<(), BatchError> {
        batch::validate_offsets_on::<E>(self, values, offsets, validity)
    }

    /// As [`ill_formed_offsets`](crate::batch::ill_formed_offsets()), with the kernels of this engine.
    pub fn ill_formed_offsets<E: Encoding>(
        self,
        values: &[E::Unit],
        offsets: &[impl Offset],
        validity: Option<Validity<'_>>,
        found: impl FnMut(usize, IllFormed),
    ) -> Result<(), BatchError> {
        batch::ill_formed_offsets_on::<E>(self, values, offsets, validity, found)
    }

    /// As [`validate_each`](crate::batch::validate_each()), with the kernels of this engine.
    pub fn validate_each<'a, E: Encoding, T: AsRef<[E::Unit]> + ?Sized + 'a>(
        self,
        values: impl IntoIterator<Item = &'a T>,
    ) -> Result<(), BatchError> {
        batch::validate_each_on::<E, _>(self, values)
    }

    /// As [`validate_views`](crate::batch::validate_views()), with the kernels of this engine.
    pub fn validate_views<E: Encoding<Unit = u8>>(
        self,
        views: &[u128],
        buffers: &[&[u8]],
        validity: Option<Validity<'_>>,
    ) -> Result<(), BatchError> {
        batch::validate_views_on::<E>(self, views, buffers, validity)
    }

    /// As [`ill_formed_views`](crate::batch::ill_formed_views()), with the kernels of this engine.
    pub fn ill_formed_views<E: Encoding<Unit = u8>>(
        self,
        views: &[u128],
        buffers: &[&[u8]],
        validity: Option<Validity<'_>>,
        found: impl FnMut(usize, IllFormed),
    ) -> Result<(), BatchError> {
        batch::ill_formed_views_on::<E>(self, views, buffers, validity, found)
    }

    /// As [`transcode_offsets`](crate::batch::transcode_offsets()), with the kernels of this engine.
    #[cfg(feature = "alloc")]
    pub fn transcode_offsets<S: Encoding, D: Encoding, O: Offset>(
        self,
        values: &[S::Unit],
        offsets: &[impl Offset],
        validity: Option<Validity<'_>>,
    ) -> Result<Converted<D::Unit, O>, BatchError> {
        batch::transcode_offsets_on::<S, D, O>(self, values, offsets, validity)
    }

    /// As [`transcode_offsets_lossy`](crate::batch::transcode_offsets_lossy()), with the kernels of this engine.
    #[cfg(feature = "alloc")]
    pub fn transcode_offsets_lossy<'p, S: Encoding, D: Encoding, O: Offset>(
        self,
        values: &[S::Unit],
        offsets: &[impl Offset],
        validity: Option<Validity<'_>>,
        policy: impl Into<Policy<'p>>,
    ) -> Result<Converted<D::Unit, O>, BatchError> {
        batch::transcode_offsets_lossy_on::<S, D, O>(self, values, offsets, validity, policy)
    }

    /// As [`repair_offsets`](crate::batch::repair_offsets()), with the kernels of this engine.
    #[cfg(feature = "alloc")]
    pub fn repair_offsets<'p, O: Offset>(
        self,
        values: &[u8],
        offsets: &[O],
        validity: Option<Validity<'_>>,
        policy: impl Into<Policy<'p>>,
    ) -> Result<Option<Converted<u8, O>>, BatchError> {
        batch::repair_offsets_on(self, values, offsets, validity, policy)
    }

    // All cores.

    /// As [`par_validate`](crate::par_validate()), with the kernels of this engine.
    #[cfg(feature = "rayon")]
    pub fn par_validate<E: Encoding>(self, src: &[E::Unit]) -> Result<(), IllFormed> {
        parallel::par_validate_on::<E>(self, src)
    }

    /// As [`par_transcode_to_vec`](crate::par_transcode_to_vec()), with the kernels of this engine.
    #[cfg(feature = "rayon")]
    pub fn par_transcode_to_vec<S: Encoding, D: Encoding>(
        self,
        src: &[S::Unit],
    ) -> Result<Vec<D::Unit>, TranscodeError> {
        parallel::par_transcode_to_vec_on::<S, D>(self, src)
    }

    /// As [`par_transcode_lossy_to_vec`](crate::par_transcode_lossy_to_vec()), with the kernels of this engine.
    #[cfg(feature = "rayon")]
    #[must_use]
    pub fn par_transcode_lossy_to_vec<'p, S: Encoding, D: Encoding>(
        self,
        src: &[S::Unit],
        policy: impl Into<Policy<'p>>,
    ) -> Vec<D::Unit> {
        parallel::par_transcode_lossy_to_vec_on::<S, D>(self, src, policy)
    }
}
