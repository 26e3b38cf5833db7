//! The operations with the kernels of one engine, on one page.
//!
//! The free functions take [`Engine::current`]; these are for those who compare kernels, and for tests. How an engine is
//! chosen, listed, narrowed and named is in `kernel/cpu.rs`.

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
use crate::unicode::{Encoding, IllFormed};
use crate::validate::{self, IllFormedSequences};

impl Engine {
    /// [`ascii_prefix`](crate::ascii_prefix()), with the kernels of this engine.
    #[must_use]
    #[inline]
    pub fn ascii_prefix(self, bytes: &[u8]) -> usize {
        dispatch::validate::ascii_prefix(self, bytes)
    }

    /// [`transcode`], with the kernels of this engine.
    ///
    /// # Errors
    /// As there.
    pub fn transcode<S: Encoding, D: Encoding>(
        self,
        src: &[S::Unit],
        dst: &mut [D::Unit],
    ) -> Result<usize, TranscodeError> {
        convert::transcode_on::<S, D>(self, src, dst)
    }

    /// [`transcode_uninit`], with the kernels of this engine.
    ///
    /// # Errors
    /// As there.
    pub fn transcode_uninit<S: Encoding, D: Encoding>(
        self,
        src: &[S::Unit],
        dst: &mut [MaybeUninit<D::Unit>],
    ) -> Result<usize, TranscodeError> {
        convert::transcode_uninit_on::<S, D>(self, src, dst)
    }

    /// [`transcode_append`], with the kernels of this engine.
    ///
    /// # Errors
    /// As there.
    #[cfg(feature = "alloc")]
    pub fn transcode_append<S: Encoding, D: Encoding>(
        self,
        src: &[S::Unit],
        dst: &mut Vec<D::Unit>,
    ) -> Result<usize, TranscodeError> {
        convert::transcode_append_on::<S, D>(self, src, dst)
    }

    /// [`transcode_cow`], with the kernels of this engine.
    ///
    /// # Errors
    /// As there.
    #[cfg(feature = "alloc")]
    pub fn transcode_cow<S: Encoding, D: Encoding>(
        self,
        src: &[S::Unit],
    ) -> Result<Cow<'_, [D::Unit]>, TranscodeError> {
        convert::transcode_cow_on::<S, D>(self, src)
    }

    /// [`transcode_lossy`], with the kernels of this engine.
    ///
    /// # Errors
    /// As there.
    pub fn transcode_lossy<'p, S: Encoding, D: Encoding>(
        self,
        src: &[S::Unit],
        dst: &mut [D::Unit],
        policy: impl Into<Policy<'p>>,
    ) -> Result<Repaired, TranscodeError> {
        convert::transcode_lossy_on::<S, D>(self, src, dst, policy)
    }

    /// [`transcode_lossy_uninit`], with the kernels of this engine.
    ///
    /// # Errors
    /// As there.
    pub fn transcode_lossy_uninit<'p, S: Encoding, D: Encoding>(
        self,
        src: &[S::Unit],
        dst: &mut [MaybeUninit<D::Unit>],
        policy: impl Into<Policy<'p>>,
    ) -> Result<Repaired, TranscodeError> {
        convert::transcode_lossy_uninit_on::<S, D>(self, src, dst, policy)
    }

    /// [`transcode_lossy_append`], with the kernels of this engine.
    #[cfg(feature = "alloc")]
    pub fn transcode_lossy_append<'p, S: Encoding, D: Encoding>(
        self,
        src: &[S::Unit],
        dst: &mut Vec<D::Unit>,
        policy: impl Into<Policy<'p>>,
    ) -> Repaired {
        convert::transcode_lossy_append_on::<S, D>(self, src, dst, policy)
    }

    /// [`transcode_lossy_len`], with the kernels of this engine.
    pub fn transcode_lossy_len<'p, S: Encoding, D: Encoding>(
        self,
        src: &[S::Unit],
        policy: impl Into<Policy<'p>>,
    ) -> Repaired {
        convert::transcode_lossy_len_on::<S, D>(self, src, policy)
    }

    /// [`to_well_formed`], with the kernels of this engine.
    #[inline]
    pub fn to_well_formed(self, units: &mut [u16]) -> usize {
        convert::to_well_formed_on(self, units)
    }

    /// [`count`], with the kernels of this engine.
    #[must_use]
    pub fn count<E: Encoding>(self, src: &[E::Unit]) -> usize {
        convert::count_on::<E>(self, src)
    }

    /// [`transcoded_len`], with the kernels of this engine.
    #[must_use]
    pub fn transcoded_len<S: Encoding, D: Encoding>(self, src: &[S::Unit]) -> usize {
        convert::transcoded_len_on::<S, D>(self, src)
    }

    /// [`repertoire`], with the kernels of this engine.
    #[must_use]
    pub fn repertoire<E: Encoding>(self, src: &[E::Unit]) -> Repertoire {
        convert::repertoire_on::<E>(self, src)
    }

    /// [`fits`], with the kernels of this engine.
    #[must_use]
    pub fn fits<E: Encoding>(self, src: &[E::Unit], repertoire: Repertoire) -> bool {
        convert::fits_on::<E>(self, src, repertoire)
    }

    /// [`validate`](crate::validate), with the kernels of this engine.
    ///
    /// # Errors
    /// The first ill-formed sequence.
    #[inline]
    pub fn validate<E: Encoding>(self, src: &[E::Unit]) -> Result<(), IllFormed> {
        validate::validate_on::<E>(self, src)
    }

    /// [`ill_formed`](crate::ill_formed), with the kernels of this engine.
    #[inline]
    pub fn ill_formed(self, src: &[u8]) -> IllFormedSequences<'_> {
        validate::ill_formed_on(self, src)
    }

    #[cfg(feature = "rayon")]
    /// [`par_validate`], with the kernels of this engine.
    ///
    /// # Errors
    /// As there.
    pub fn par_validate<E: Encoding>(self, src: &[E::Unit]) -> Result<(), IllFormed> {
        parallel::par_validate_on::<E>(self, src)
    }

    #[cfg(feature = "rayon")]
    /// [`par_transcode_to_vec`], with the kernels of this engine.
    ///
    /// # Errors
    /// As there.
    pub fn par_transcode_to_vec<S: Encoding, D: Encoding>(
        self,
        src: &[S::Unit],
    ) -> Result<Vec<D::Unit>, TranscodeError> {
        parallel::par_transcode_to_vec_on::<S, D>(self, src)
    }

    #[cfg(feature = "rayon")]
    /// [`par_transcode_lossy_to_vec`], with the kernels of this engine.
    #[must_use]
    pub fn par_transcode_lossy_to_vec<'p, S: Encoding, D: Encoding>(
        self,
        src: &[S::Unit],
        policy: impl Into<Policy<'p>>,
    ) -> Vec<D::Unit> {
        parallel::par_transcode_lossy_to_vec_on::<S, D>(self, src, policy)
    }

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
        batch::validate_offsets_on::<E>(self, values, offsets, validity)
    }

    /// [`ill_formed_offsets`](crate::batch::ill_formed_offsets), with the kernels of this engine.
    ///
    /// # Errors
    /// As there.
    pub fn ill_formed_offsets<E: Encoding>(
        self,
        values: &[E::Unit],
        offsets: &[impl Offset],
        validity: Option<Validity<'_>>,
        found: impl FnMut(usize, IllFormed),
    ) -> Result<(), BatchError> {
        batch::ill_formed_offsets_on::<E>(self, values, offsets, validity, found)
    }

    /// [`validate_each`](crate::batch::validate_each), with the kernels of this engine.
    ///
    /// # Errors
    /// As there.
    pub fn validate_each<'a, E: Encoding, T: AsRef<[E::Unit]> + ?Sized + 'a>(
        self,
        values: impl IntoIterator<Item = &'a T>,
    ) -> Result<(), BatchError> {
        batch::validate_each_on::<E, _>(self, values)
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
        batch::validate_views_on::<E>(self, views, buffers, validity)
    }

    /// [`ill_formed_views`](crate::batch::ill_formed_views), with the kernels of this engine.
    ///
    /// # Errors
    /// As there.
    pub fn ill_formed_views<E: Encoding<Unit = u8>>(
        self,
        views: &[u128],
        buffers: &[&[u8]],
        validity: Option<Validity<'_>>,
        found: impl FnMut(usize, IllFormed),
    ) -> Result<(), BatchError> {
        batch::ill_formed_views_on::<E>(self, views, buffers, validity, found)
    }

    #[cfg(feature = "alloc")]
    /// [`transcode_offsets`], with the kernels of this engine.
    ///
    /// # Errors
    /// As there.
    pub fn transcode_offsets<S: Encoding, D: Encoding, O: Offset>(
        self,
        values: &[S::Unit],
        offsets: &[impl Offset],
        validity: Option<Validity<'_>>,
    ) -> Result<Converted<D::Unit, O>, BatchError> {
        batch::transcode_offsets_on::<S, D, O>(self, values, offsets, validity)
    }

    #[cfg(feature = "alloc")]
    /// [`transcode_offsets_lossy`], with the kernels of this engine.
    ///
    /// # Errors
    /// As there.
    pub fn transcode_offsets_lossy<'p, S: Encoding, D: Encoding, O: Offset>(
        self,
        values: &[S::Unit],
        offsets: &[impl Offset],
        validity: Option<Validity<'_>>,
        policy: impl Into<Policy<'p>>,
    ) -> Result<Converted<D::Unit, O>, BatchError> {
        batch::transcode_offsets_lossy_on::<S, D, O>(self, values, offsets, validity, policy)
    }

    #[cfg(feature = "alloc")]
    /// [`repair_offsets`], with the kernels of this engine.
    ///
    /// # Errors
    /// As there.
    pub fn repair_offsets<'p, O: Offset>(
        self,
        values: &[u8],
        offsets: &[O],
        validity: Option<Validity<'_>>,
        policy: impl Into<Policy<'p>>,
    ) -> Result<Option<Converted<u8, O>>, BatchError> {
        batch::repair_offsets_on(self, values, offsets, validity, policy)
    }
}
