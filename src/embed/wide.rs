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
