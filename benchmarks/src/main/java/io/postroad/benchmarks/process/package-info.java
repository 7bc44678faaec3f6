/** What a process of local steps costs, against the fastest that can be written by hand. */
@NullMarked
package io.postroad.benchmarks.process;

import org.jspecify.annotations.NullMarked;
