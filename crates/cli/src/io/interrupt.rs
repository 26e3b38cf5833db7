//! Cleaning up when the user presses Ctrl-C.
//!
//! A signal ends a program without running any destructor, so a temporary file would stay. While
//! there is one, the handler removes it and then ends the program with the exit code that shells know
//! for an interruption. Programs that write no file never install a handler and die of the signal.

use std::fs;
use std::path::{Path, PathBuf};
use std::process;
use std::sync::{Mutex, MutexGuard, Once, PoisonError};

/// Exit code: 128 and the number of SIGINT.
const INTERRUPTED: i32 = 130;

/// The file to remove.
static TEMPORARY: Mutex<Option<PathBuf>> = Mutex::new(None);

/// While this lives, an interruption removes the file.
pub(crate) struct RemovedOnInterrupt(());

/// Registers a file to be removed; there is only one at a time.
pub(crate) fn remove_on_interrupt(path: &Path) -> RemovedOnInterrupt {
    static INSTALL: Once = Once::new();
    *temporary() = Some(path.into());
    // If there can be no handler, an interruption leaves a file; nothing worse.
    INSTALL.call_once(|| drop(ctrlc::set_handler(end)));
    RemovedOnInterrupt(())
}

impl Drop for RemovedOnInterrupt {
    fn drop(&mut self) {
        *temporary() = None;
    }
}

fn temporary() -> MutexGuard<'static, Option<PathBuf>> {
    TEMPORARY.lock().unwrap_or_else(PoisonError::into_inner)
}

fn end() {
    // The lock is kept to the end, so that no other file is created meanwhile.
    let path = temporary();
    if let Some(path) = &*path {
        let _ = fs::remove_file(path);
    }
    process::exit(INTERRUPTED);
}
