/** What a local command costs, against the fastest that can be written by hand. */
@NullMarked
package io.postroad.benchmarks.commands;

import org.jspecify.annotations.NullMarked;
