//! Wide registers where the machine has them.

/// Does the work with code compiled for AVX2 where the processor has it. Only the width of the
/// registers changes, not the order of any sum and not the rounding (no fused multiply-add), so
/// results are the same bits on every machine. What `work` calls must be `#[inline(always)]` to
/// take part.
#[inline(always)]
pub(crate) fn wide<W: Work>(work: W) {
    #[cfg(target_arch = "x86_64")]
    if std::is_x86_feature_detected!("avx2") {
        #[target_feature(enable = "avx2")]
        fn with_avx2<W: Work>(work: W) {
            work.run();
        }
        // SAFETY: the processor has just said that it has AVX2.
        return unsafe { with_avx2(work) };
    }
    work.run();
}

/// Work that [`wide`] can do; implementations of `run` are `#[inline(always)]`.
pub(crate) trait Work {
    /// Does it.
    fn run(self);
}

/// Asks for memory that will be read soon, so that it is there when it is.
#[inline(always)]
pub(crate) fn fetch<T>(soon: &[T]) {
    #[cfg(target_arch = "x86_64")]
    for line in soon.iter().step_by((LINE / size_of::<T>()).max(1)) {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: a prefetch is a hint; it reads nothing and faults nowhere, and every 64-bit
        // processor of this kind has it.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(line).cast()) };
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = soon;
}

/// Bytes of a cache line.
#[cfg(target_arch = "x86_64")]
const LINE: usize = 64;
