/**
 * Stores appended messages on the connection of the caller. {@link
 * io.postroad.postgres.internal.append.Appender} takes deduplication keys ({@link
 * io.postroad.postgres.internal.append.DedupKeys}) and hands the rest to an {@link
 * io.postroad.postgres.internal.append.Insertion}: the queue ({@link
 * io.postroad.postgres.internal.append.MessageInsert}) or the log. {@link
 * io.postroad.postgres.internal.append.MessageColumns} reads messages back.
 */
@NullMarked
package io.postroad.postgres.internal.append;

import org.jspecify.annotations.NullMarked;
