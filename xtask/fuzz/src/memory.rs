//! Counts how much memory is in use.

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

struct Counting;

#[global_allocator]
static COUNTING: Counting = Counting;

static USED: AtomicUsize = AtomicUsize::new(0);
static MOST: AtomicUsize = AtomicUsize::new(0);

/// Begins anew to find the most, and returns what is in use.
pub fn begin() -> usize {
    let used = USED.load(Relaxed);
    MOST.store(used, Relaxed);
    used
}

/// The most bytes that were in use at a time.
pub fn most() -> usize {
    MOST.load(Relaxed)
}

// SAFETY: the system's allocator does everything.
#[allow(unsafe_code)]
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let used = USED.fetch_add(layout.size(), Relaxed) + layout.size();
        MOST.fetch_max(used, Relaxed);
        // SAFETY: what the caller promised.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, place: *mut u8, layout: Layout) {
        USED.fetch_sub(layout.size(), Relaxed);
        // SAFETY: what the caller promised.
        unsafe { System.dealloc(place, layout) }
    }

    unsafe fn realloc(&self, place: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        let used = USED.fetch_add(size, Relaxed) + size;
        MOST.fetch_max(used, Relaxed);
        USED.fetch_sub(layout.size(), Relaxed);
        // SAFETY: what the caller promised.
        unsafe { System.realloc(place, layout, size) }
    }
}
