//! Counts instructions by going one at a time.
//!
//! The child stops itself before the work and after it; between these two stops its parent asks for
//! single steps, and counts them. Both run on the same CPU, where going from one to the other takes the
//! least time: some microseconds a step.

use std::io::Error;
use std::ptr;

/// Instructions of `work`, and a constant number more. `None` if they cannot be counted.
///
/// `work` neither allocates nor locks anything: it is done in a copy of the process that has one thread.
pub fn count(mut work: impl FnMut()) -> Option<u64> {
    stay();
    // SAFETY: the child calls `work`, which needs no lock that another thread may have held, and functions
    // that may be called after a fork; then it ends without cleaning up.
    match unsafe { libc::fork() } {
        -1 => panic!("fork: {}", Error::last_os_error()),
        0 => {
            // SAFETY: as above; none of these touches memory of ours.
            unsafe {
                if libc::ptrace(libc::PTRACE_TRACEME, 0, ptr::null_mut::<u8>(), ptr::null_mut::<u8>()) == -1 {
                    libc::_exit(1);
                }
                libc::raise(libc::SIGSTOP);
                work();
                libc::raise(libc::SIGSTOP);
                libc::_exit(0)
            }
        }
        child => {
            let steps = watch(child);
            // SAFETY: the child is ours, and has not been waited for yet.
            unsafe {
                libc::kill(child, libc::SIGKILL);
                libc::waitpid(child, ptr::null_mut(), 0);
            }
            steps
        }
    }
}

/// Keeps this thread, and the children that it will have, where it is; if it cannot be, it only takes longer.
fn stay() {
    // SAFETY: `cpus` is a set of CPUs of the size that is passed, and all zeroes is the empty one.
    unsafe {
        let mut cpus: libc::cpu_set_t = std::mem::zeroed();
        if let Ok(cpu) = usize::try_from(libc::sched_getcpu()) {
            libc::CPU_SET(cpu, &mut cpus);
            libc::sched_setaffinity(0, size_of::<libc::cpu_set_t>(), &cpus);
        }
    }
}

/// Steps between two stops of the child.
fn watch(child: libc::pid_t) -> Option<u64> {
    if stop(child)? != libc::SIGSTOP {
        return None;
    }
    let mut steps = 0;
    loop {
        // SAFETY: the child is stopped, and traced by us.
        let asked = unsafe {
            libc::ptrace(libc::PTRACE_SINGLESTEP, child, ptr::null_mut::<u8>(), ptr::null_mut::<u8>())
        };
        if asked == -1 {
            return None;
        }
        match stop(child)? {
            libc::SIGTRAP => steps += 1,
            libc::SIGSTOP => return Some(steps),
            _ => return None,
        }
    }
}

/// The signal with which the child has stopped; `None` if it has ended.
fn stop(child: libc::pid_t) -> Option<libc::c_int> {
    let mut status = 0;
    // SAFETY: `status` is there to be written to.
    let waited = unsafe { libc::waitpid(child, &mut status, 0) };
    (waited == child && libc::WIFSTOPPED(status)).then(|| libc::WSTOPSIG(status))
}
