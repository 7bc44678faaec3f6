/** Measures the cost of a local command, against the fastest hand-written code. */
@NullMarked
package io.postroad.benchmarks.commands;

import org.jspecify.annotations.NullMarked;
