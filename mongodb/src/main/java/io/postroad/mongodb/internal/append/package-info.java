/**
 * Stores appended messages in the session of the caller. {@link
 * io.postroad.mongodb.internal.append.Appender} takes deduplication keys ({@link
 * io.postroad.mongodb.internal.append.DedupKeys}) and hands the rest to an {@link
 * io.postroad.mongodb.internal.append.Insertion}. {@link
 * io.postroad.mongodb.internal.append.LooseAppend} does it without a transaction. {@link
 * io.postroad.mongodb.internal.append.MessageDocument} writes and reads messages.
 */
@NullMarked
package io.postroad.mongodb.internal.append;

import org.jspecify.annotations.NullMarked;
