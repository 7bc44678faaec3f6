/** Measures the cost of a process of local steps, against the fastest hand-written code. */
@NullMarked
package io.postroad.benchmarks.process;

import org.jspecify.annotations.NullMarked;
