//! The `truecount` executable.

use mimalloc::MiMalloc;
use std::alloc::{GlobalAlloc, Layout};
use std::process::ExitCode;
use truecount_cli::shared::exit_out_of_memory;

/// Rows are read in blocks of some hundred kilobytes. The system's allocator would return each
/// block to the operating system and request a new one.
#[global_allocator]
static ALLOCATOR: ExitingAllocator = ExitingAllocator(MiMalloc);

/// An allocator that ends the process with a message when memory runs out, where Rust would abort.
struct ExitingAllocator(MiMalloc);

fn or_exit(block: *mut u8) -> *mut u8 {
    if block.is_null() { exit_out_of_memory() } else { block }
}

/// SAFETY: All calls are forwarded, and none returns a null pointer.
#[allow(unsafe_code)]
unsafe impl GlobalAlloc for ExitingAllocator {
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

fn main() -> ExitCode {
    truecount_cli::run(std::env::args_os()).into()
}
