//! A plugin for QEMU's user mode that counts instructions, and tells the program when it asks.
//!
//! `rustc -O --edition 2024 .ci/qemu-meter.rs`, then `qemu-aarch64 -plugin libqemu_meter.so PROGRAM`. A program asks by a
//! system call that no system has, with the address of eight bytes: tests/instructions/meter.rs. Programs of one
//! thread, or of which one works at a time: all count into one place.
//!
//! QEMU looks for the two names at the end in every plugin, and offers those at the beginning; the
//! interface is described in its documentation as "QEMU TCG Plugins", here in version 1.

#![crate_type = "cdylib"]
#![crate_name = "qemu_meter"]

use std::ffi::{c_char, c_int, c_uint, c_void};

/// The number of the system call; tests/instructions/meter.rs has it, too.
const ASKED: i64 = 0x7275_6E65;

/// How QEMU tells plugins apart.
type Id = u64;

#[repr(C)]
struct Block([u8; 0]);

#[repr(C)]
struct Instruction([u8; 0]);

type Translated = extern "C" fn(Id, *mut Block);
type Called = extern "C" fn(Id, c_uint, i64, u64, u64, u64, u64, u64, u64, u64, u64);

unsafe extern "C" {
    fn qemu_plugin_register_vcpu_tb_trans_cb(id: Id, callback: Translated);
    fn qemu_plugin_register_vcpu_syscall_cb(id: Id, callback: Called);
    fn qemu_plugin_tb_n_insns(block: *const Block) -> usize;
    fn qemu_plugin_tb_get_insn(block: *const Block, index: usize) -> *mut Instruction;
    fn qemu_plugin_register_vcpu_insn_exec_inline(
        instruction: *mut Instruction,
        operation: c_int,
        place: *mut c_void,
        operand: u64,
    );
}

/// The inline operation "add to 64 bits", the only one there is.
const ADD: c_int = 0;

/// The number of instructions that were run. The code that QEMU makes counts here.
static mut COUNT: u64 = 0;

/// Adds the counting to a stretch of code when it is translated.
extern "C" fn translated(_: Id, block: *mut Block) {
    let count = &raw mut COUNT;
    // SAFETY: QEMU lends the block for this call; the indices are below the number that it gives; the place stays.
    unsafe {
        for index in 0..qemu_plugin_tb_n_insns(block) {
            let instruction = qemu_plugin_tb_get_insn(block, index);
            qemu_plugin_register_vcpu_insn_exec_inline(instruction, ADD, count.cast(), 1);
        }
    }
}

/// Before each system call.
extern "C" fn called(_: Id, _: c_uint, number: i64, address: u64, _: u64, _: u64, _: u64, _: u64, _: u64, _: u64, _: u64) {
    if number == ASKED {
        // SAFETY: who makes this call gives the address of eight bytes that it owns; and a guest of 64 bits sees the
        // addresses of its host.
        unsafe { (address as *mut u64).write_unaligned((&raw const COUNT).read_volatile()) }
    }
}

/// The version of the interface, which QEMU asks for.
#[unsafe(no_mangle)]
#[allow(non_upper_case_globals)] // the name is QEMU's
pub static qemu_plugin_version: c_int = 1;

/// Where QEMU begins.
#[unsafe(no_mangle)]
pub extern "C" fn qemu_plugin_install(id: Id, _: *const c_void, _: c_int, _: *const *const c_char) -> c_int {
    // SAFETY: `id` is ours, and the callbacks have the types that are asked for.
    unsafe {
        qemu_plugin_register_vcpu_tb_trans_cb(id, translated);
        qemu_plugin_register_vcpu_syscall_cb(id, called);
    }
    0
}
