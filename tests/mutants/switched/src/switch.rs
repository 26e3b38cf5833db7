//! The module that the library gets: which mutant is on, and operators that it can change.
//!
//! Numbers count from 1; 0 stands for a change that the list does not have. With a mutant on, the first panic ends the
//! process: one test that fails is enough. Without one, the mutants that are come by are written to a file.

#![allow(missing_docs, dead_code, clippy::all)]

extern crate std;

use core::ops::*;
use core::sync::atomic::{AtomicBool, AtomicU32, Ordering::Relaxed};

const UNKNOWN: u32 = u32::MAX;
const MOST: usize = 1 << 14;

static CHOSEN: AtomicU32 = AtomicU32::new(UNKNOWN);
static REACHED: [AtomicBool; MOST] = [const { AtomicBool::new(false) }; MOST];

#[cold]
fn choose() -> u32 {
    let number = std::env::var("RUNECAST_MUTANT").ok().and_then(|number| number.parse().ok()).unwrap_or(0);
    CHOSEN.store(number, Relaxed);
    if number != 0 {
        std::panic::set_hook(std::boxed::Box::new(|_| std::process::exit(101)));
    }
    number
}

#[cold]
fn note(number: u32) {
    use std::io::Write;
    if !REACHED[number as usize].swap(true, Relaxed) {
        if let Some(path) = std::env::var_os("RUNECAST_MUTANTS_REACHED") {
            let file = std::fs::OpenOptions::new().append(true).create(true).open(path);
            file.and_then(|mut file| file.write_all(std::format!("{number}\n").as_bytes())).unwrap();
        }
    }
}

#[inline]
pub fn on(number: u32) -> bool {
    if number == 0 {
        return false;
    }
    let mut chosen = CHOSEN.load(Relaxed);
    if chosen == UNKNOWN {
        chosen = choose();
    }
    if chosen == 0 && !REACHED[number as usize].load(Relaxed) {
        note(number);
    }
    chosen == number
}

#[inline]
pub fn flip(number: u32, value: bool) -> bool {
    value ^ on(number)
}

#[inline]
pub fn guard(always: u32, never: u32, deleted: u32, value: bool) -> bool {
    (value || on(always)) && !on(never) && !on(deleted)
}

#[inline]
pub fn not<T: Not<Output = T>>(number: u32, value: T) -> T {
    if on(number) { value } else { !value }
}

#[inline]
pub fn neg<T: Neg<Output = T>>(number: u32, value: T) -> T {
    if on(number) { value } else { -value }
}

macro_rules! comparisons {
    ($($name:ident $operator:tt, $($number:ident $other:tt),*;)*) => { $(
        #[inline]
        pub fn $name<T: PartialOrd + ?Sized>($($number: u32,)* a: &T, b: &T) -> bool {
            $(if on($number) { return a $other b; })*
            a $operator b
        }
    )* }
}

comparisons! {
    lt <, i ==, j >, k <=;
    gt >, i ==, j <, k >=;
    le <=, i >;
    ge >=, i <;
}

macro_rules! operators {
    ($($name:ident $trait:ident $operator:tt, $($number:ident $other_trait:ident $other:tt),*;)*) => { $(
        #[inline]
        pub fn $name<T: $trait<Output = T> $(+ $other_trait<Output = T>)*>($($number: u32,)* a: T, b: T) -> T {
            $(if on($number) { return a $other b; })*
            a $operator b
        }
    )* }
}

operators! {
    add Add +, i Sub -, j Mul *;
    sub Sub -, i Add +, j Div /;
    mul Mul *, i Add +, j Div /;
    div Div /, i Rem %, j Mul *;
    rem Rem %, i Div /, j Add +;
    and BitAnd &, i BitOr |, j BitXor ^;
    or BitOr |, i BitAnd &, j BitXor ^;
    xor BitXor ^, i BitOr |, j BitAnd &;
}

#[inline]
pub fn shl<T: Shl<U, Output = T> + Shr<U, Output = T>, U>(number: u32, a: T, b: U) -> T {
    if on(number) { a >> b } else { a << b }
}

#[inline]
pub fn shr<T: Shl<U, Output = T> + Shr<U, Output = T>, U>(number: u32, a: T, b: U) -> T {
    if on(number) { a << b } else { a >> b }
}

macro_rules! assignments {
    ($($name:ident $trait:ident $operator:tt, $($number:ident $other_trait:ident $other:tt),*;)*) => { $(
        #[inline]
        pub fn $name<T: $trait $(+ $other_trait)*>($($number: u32,)* a: &mut T, b: T) {
            $(if on($number) { *a $other b; return; })*
            *a $operator b
        }
    )* }
}

assignments! {
    add_assign AddAssign +=, i SubAssign -=, j MulAssign *=;
    sub_assign SubAssign -=, i AddAssign +=, j DivAssign /=;
    or_assign BitOrAssign |=, i BitAndAssign &=;
    and_assign BitAndAssign &=, i BitOrAssign |=;
}
