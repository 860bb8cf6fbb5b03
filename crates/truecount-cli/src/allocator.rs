//! The end of a command that runs out of memory.

use crate::signals::exit_out_of_memory;
use std::alloc::{GlobalAlloc, Layout};
use std::sync::atomic::{AtomicBool, Ordering};

/// Whether this process runs a command. In Python, others may handle the lack of memory.
pub static RUNS_COMMAND: AtomicBool = AtomicBool::new(false);

/// An allocator that ends a command with a message when memory runs out, where Rust would abort.
pub struct ExitingAllocator<A>(pub A);

fn or_exit(block: *mut u8) -> *mut u8 {
    if block.is_null() && RUNS_COMMAND.load(Ordering::Relaxed) { exit_out_of_memory() } else { block }
}

/// SAFETY: All calls are forwarded.
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
