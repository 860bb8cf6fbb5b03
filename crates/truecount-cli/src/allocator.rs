//! Ends a command with a message when memory runs out.

use crate::signals::exit_out_of_memory;
use std::alloc::{GlobalAlloc, Layout};
use std::sync::atomic::{AtomicBool, Ordering};

/// Whether this process runs a command. In Python, the program may handle a failed allocation.
pub static RUNS_COMMAND: AtomicBool = AtomicBool::new(false);

/// An allocator that ends a command with a message when memory runs out, where Rust would abort.
pub struct ExitingAllocator<A>(pub A);

fn or_exit(block: *mut u8) -> *mut u8 {
    if block.is_null() && RUNS_COMMAND.load(Ordering::Relaxed) { exit_out_of_memory() } else { block }
}

/// SAFETY: Every call is forwarded to an allocator that keeps the contract. If it returns a null pointer, the process
/// ends, or the pointer is returned.
#[allow(unsafe_code)]
unsafe impl<A: GlobalAlloc> GlobalAlloc for ExitingAllocator<A> {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        or_exit(unsafe { self.0.alloc(layout) })
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        or_exit(unsafe { self.0.alloc_zeroed(layout) })
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        unsafe { self.0.dealloc(block, layout) }
    }

    unsafe fn realloc(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        or_exit(unsafe { self.0.realloc(block, layout, size) })
    }
}
