/** What {@code bin/bench} runs; the first argument names the benchmark. Not published. */
@NullMarked
package io.postroad.benchmarks;

import org.jspecify.annotations.NullMarked;
