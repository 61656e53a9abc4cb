//! What WebAssembly exports and imports. The only unsafe code of the project: pointers that the
//! worker hands over.

use std::cell::RefCell;
use std::sync::Once;

#[cfg(not(feature = "solver"))]
use crate::player::answer;

#[link(wasm_import_module = "host")]
unsafe extern "C" {
    /// The engine panicked, and traps after this call; where and why.
    fn panicked(pointer: *const u8, length: usize);
}

/// A voice for panics, which this target does not have by itself.
fn prepare() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        #[cfg(feature = "solver")]
        beside::set_clock();
        std::panic::set_hook(Box::new(|panic| {
            let text = panic.to_string();
            // SAFETY: the worker copies the text before it returns.
            unsafe { panicked(text.as_ptr(), text.len()) }
        }));
    });
}

#[cfg(feature = "solver")]
fn answer(request: &str) -> String {
    crate::solver::answer(request, &beside::Worker)
}

/// What the solver has beside its answers: a clock, events, and files.
#[cfg(feature = "solver")]
mod beside {
    use crate::solver::Host;
    use std::time::Duration;
    use unstuck::machine;

    #[link(wasm_import_module = "host")]
    unsafe extern "C" {
        /// Seconds since the worker began.
        safe fn now() -> f64;
        /// Something happened; JSON.
        fn event(pointer: *const u8, length: usize);
        /// A file that belongs to the answer.
        fn file(name: *const u8, name_length: usize, content: *const u8, length: usize);
    }

    /// Gives the library the worker's clock, since this target has none.
    pub(super) fn set_clock() {
        machine::set_clock(|| Duration::try_from_secs_f64(now()).unwrap_or_default());
    }

    /// The worker that holds this module.
    pub(super) struct Worker;

    impl Host for Worker {
        fn event(&self, text: &str) {
            // SAFETY: the worker copies the text before it returns.
            unsafe { event(text.as_ptr(), text.len()) }
        }

        fn file(&self, name: &str, content: &[u8]) {
            // SAFETY: the worker copies both before it returns.
            unsafe { file(name.as_ptr(), name.len(), content.as_ptr(), content.len()) }
        }
    }
}

thread_local! {
    /// The last answer: the worker reads it before it asks again.
    static ANSWER: RefCell<String> = const { RefCell::new(String::new()) };
}

/// Room for a request of so many bytes.
#[unsafe(no_mangle)]
pub extern "C" fn alloc(length: usize) -> *mut u8 {
    Box::into_raw(vec![0_u8; length].into_boxed_slice()).cast()
}

/// Answers the request that was written to the room from [`alloc`], which is given back; the length
/// of the answer.
///
/// # Safety
/// `pointer` and `length` must be those of one call of [`alloc`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ask(pointer: *mut u8, length: usize) -> usize {
    prepare();
    // SAFETY: by contract the room is a boxed slice of this length, used once.
    let request = unsafe { Box::from_raw(std::ptr::slice_from_raw_parts_mut(pointer, length)) };
    let answer = answer(&String::from_utf8_lossy(&request));
    ANSWER.with_borrow_mut(|kept| {
        *kept = answer;
        kept.len()
    })
}

/// Where the last answer is.
#[unsafe(no_mangle)]
pub extern "C" fn answer_at() -> *const u8 {
    ANSWER.with_borrow(|kept| kept.as_ptr())
}
