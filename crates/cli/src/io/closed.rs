//! Standard streams that were closed when the program was started, as by `>&-` in a shell, or by a service manager.
//!
//! The standard library opens `/dev/null` in the place of such a stream before `main` begins, so that no file that is opened later gets
//! its number. This also makes every write to it succeed: a conversion to a closed standard output would end with 0, and its text be
//! nowhere; and a closed standard input would be an empty text, which is well-formed. Other programs say `Bad file descriptor`.
//!
//! What `/dev/null` stands for cannot be seen afterwards: somebody may have opened it for reading and writing on purpose, as Python's
//! `subprocess.DEVNULL` does. So the look is taken earlier, in a function whose address is in the section of the program from which the
//! system's loader calls functions before the first one of the language. That is the only thing here that needs `unsafe`. A system with
//! another way to start a program has no such section, and there nothing is known to be closed.

use std::io;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

/// Whether each of the three was closed.
static CLOSED: [AtomicBool; 3] = [const { AtomicBool::new(false) }; 3];

// SAFETY: The section is an array of pointers to functions of the C ABI, each of which is called once, without arguments that matter,
// when the libraries of the program are ready; this is such a pointer. The function makes one system call for each of three descriptors,
// and stores what came of it. Of the standard library it takes the handles of the streams, which are made by whoever first asks for them.
#[cfg(any(target_os = "linux", target_os = "android", target_os = "freebsd", target_os = "netbsd"))]
#[used]
#[unsafe(link_section = ".init_array")]
static BEFORE_MAIN: extern "C" fn() = look;

// SAFETY: The same, by its name on systems of Apple.
#[cfg(target_vendor = "apple")]
#[used]
#[unsafe(link_section = "__DATA,__mod_init_func")]
static BEFORE_MAIN: extern "C" fn() = look;

#[cfg(any(
    target_os = "linux",
    target_os = "android",
    target_os = "freebsd",
    target_os = "netbsd",
    target_vendor = "apple"
))]
extern "C" fn look() {
    use std::os::fd::AsFd;

    use nix::fcntl::{FcntlArg, fcntl};
    let is_closed =
        |stream: &dyn AsFd| fcntl(stream.as_fd(), FcntlArg::F_GETFD) == Err(nix::errno::Errno::EBADF);
    let streams: [&dyn AsFd; 3] = [&io::stdin(), &io::stdout(), &io::stderr()];
    for (closed, stream) in CLOSED.iter().zip(streams) {
        closed.store(is_closed(stream), Ordering::Relaxed);
    }
}

fn was_closed(number: usize) -> io::Result<()> {
    let name = ["standard input", "standard output", "standard error"][number];
    match CLOSED[number].load(Ordering::Relaxed) {
        true => Err(io::Error::other(format!("{name} is closed"))),
        false => Ok(()),
    }
}

/// That there is a standard input.
pub(crate) fn stdin() -> io::Result<()> {
    was_closed(0)
}

/// That there is a standard output.
pub(crate) fn stdout() -> io::Result<()> {
    was_closed(1)
}

/// That this path is not one of the names of a standard stream that was closed.
pub(crate) fn behind(path: &Path) -> io::Result<()> {
    let names = ["stdin", "stdout", "stderr"].into_iter().enumerate();
    let is = |number: usize, name: &str| {
        path == Path::new("/dev").join(name)
            || ["/dev/fd", "/proc/self/fd"].iter().any(|all| path == Path::new(all).join(number.to_string()))
    };
    match names.into_iter().find(|(number, name)| is(*number, name)) {
        Some((number, _)) => was_closed(number),
        None => Ok(()),
    }
}
