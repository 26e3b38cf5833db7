//! Cleaning up when the user presses Ctrl-C, or the system ends the program.
//!
//! A signal ends a program without running any destructor, so a temporary file would stay. While
//! there is one, a thread waits for SIGINT, SIGTERM and SIGHUP, and for SIGQUIT and SIGXCPU (a limit of time), removes it, and then
//! lets the signal do what it does to any program: whoever waits for this one sees that it was killed, and by what. (A shell that runs
//! it in a loop ends the loop only then; it shows 130, 143 and 129.) What the program was told to ignore, as `nohup` does with SIGHUP,
//! stays ignored. Programs that write no file never get that far, and die of the signal directly.
//!
//! SIGXFSZ says that a file has become larger than a limit allows. Where it does not kill, writing fails, as on a full disk; so here it
//! does nothing.

use std::fs;
use std::io;
use std::path::PathBuf;
#[cfg(unix)]
use std::sync::Arc;
use std::sync::{Mutex, MutexGuard, Once, PoisonError};

use tempfile::NamedTempFile;

/// The files to remove.
static TEMPORARY: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// While this lives, an interruption removes the file.
pub(crate) struct RemovedOnInterrupt(PathBuf);

/// Creates a file that an interruption removes. No signal comes between.
pub(crate) fn removed_on_interrupt(
    create: impl FnOnce() -> io::Result<NamedTempFile>,
) -> io::Result<(NamedTempFile, RemovedOnInterrupt)> {
    static INSTALL: Once = Once::new();
    INSTALL.call_once(install);
    let mut paths = temporary();
    let file = create()?;
    let path: PathBuf = file.path().into();
    paths.push(path.clone());
    Ok((file, RemovedOnInterrupt(path)))
}

impl Drop for RemovedOnInterrupt {
    fn drop(&mut self) {
        temporary().retain(|path| *path != self.0);
    }
}

/// Does something that no signal interrupts. It must neither create such a file nor let one go.
pub(crate) fn uninterrupted<T>(act: impl FnOnce() -> T) -> T {
    let _files = temporary();
    act()
}

fn temporary() -> MutexGuard<'static, Vec<PathBuf>> {
    TEMPORARY.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Removes the files; `end` ends the program. The lock is kept, so that no other file is created meanwhile.
fn clean_up(end: impl FnOnce()) {
    let paths = temporary();
    for path in &*paths {
        let _ = fs::remove_file(path);
    }
    end();
}

/// If there can be no handler, an interruption leaves a file; nothing worse.
#[cfg(unix)]
fn install() {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGXCPU, SIGXFSZ};
    use signal_hook::iterator::Signals;

    let _ = signal_hook::flag::register(SIGXFSZ, Arc::default());
    let wanted = [SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGXCPU].into_iter();
    let wanted = wanted.filter(|signal| !is_ignored(*signal));
    let Ok(mut signals) = Signals::new(wanted) else { return };
    let waiting = std::thread::Builder::new().name("signals".into()).spawn(move || {
        if let Some(signal) = signals.forever().next() {
            clean_up(|| {
                // It does not come back, but for a signal that does nothing by itself.
                let _ = signal_hook::low_level::emulate_default_handler(signal);
                std::process::exit(128 + signal);
            });
        }
    });
    drop(waiting);
}

/// Whether the program was started with this signal ignored, where the system says so without being changed by it.
#[cfg(unix)]
fn is_ignored(signal: i32) -> bool {
    let Ok(status) = fs::read_to_string("/proc/self/status") else { return false };
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let mask = mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(0);
    mask >> (signal - 1) & 1 == 1
}

/// If there can be no handler, an interruption leaves a file; nothing worse.
#[cfg(not(unix))]
fn install() {
    let _ = ctrlc::set_handler(|| clean_up(|| std::process::exit(130)));
}
