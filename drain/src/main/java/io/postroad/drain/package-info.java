/**
 * Moves undelivered rows of another outbox into Postroad. {@link io.postroad.drain.PostgresDrain}
 * is the entry. {@link io.postroad.drain.DrainSource} names the other table, {@link
 * io.postroad.drain.DrainTable} checks it, {@link io.postroad.drain.DrainReader} reads its rows,
 * {@link io.postroad.drain.DrainMapping} makes a message of a row, {@link
 * io.postroad.drain.DrainBatch} appends it and marks the row. {@link io.postroad.drain.DrainReport}
 * has the result.
 */
@NullMarked
package io.postroad.drain;

import org.jspecify.annotations.NullMarked;
