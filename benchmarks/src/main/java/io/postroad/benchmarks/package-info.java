/** The benchmarks of {@code bin/bench}; its first argument names the benchmark. Not published. */
@NullMarked
package io.postroad.benchmarks;

import org.jspecify.annotations.NullMarked;
