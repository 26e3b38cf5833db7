//! Locks and conditions that go on after a panic.
//!
//! A thread that panics poisons the locks that it holds. The workers notice a panic by themselves, and end the
//! run with an error; so those who come after it may look at what it left, and need not panic as well.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// The lock, whatever became of those who held it before.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Waits until the condition is signalled.
pub(crate) fn wait<'a, T>(condition: &Condvar, guard: MutexGuard<'a, T>) -> MutexGuard<'a, T> {
    condition.wait(guard).unwrap_or_else(PoisonError::into_inner)
}
