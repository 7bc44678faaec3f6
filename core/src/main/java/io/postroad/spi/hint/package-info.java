/**
 * Helps stores to wake other nodes and to bound their batches. {@link
 * io.postroad.spi.hint.NodeWakeUps} does the part that every database shares; a {@link
 * io.postroad.spi.hint.HintChannel} carries the hints over one database. {@link
 * io.postroad.spi.hint.Batches} bounds a batch by bytes and by count.
 */
@NullMarked
package io.postroad.spi.hint;

import org.jspecify.annotations.NullMarked;
