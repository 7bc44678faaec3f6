/**
 * Keeps the order of each key in a log. {@link io.postroad.postgres.internal.log.LogInsert}
 * appends, {@link io.postroad.postgres.internal.log.LogReader} reads up to a {@link
 * io.postroad.postgres.internal.log.LogPosition}, {@link
 * io.postroad.postgres.internal.log.LogCursor} advances. {@link
 * io.postroad.postgres.internal.log.Lanes} says which node owns a lane. {@link
 * io.postroad.postgres.internal.log.HeldMessages} keeps the messages of blocked keys, {@link
 * io.postroad.postgres.internal.log.Schedule} those that are not due. {@link
 * io.postroad.postgres.internal.log.LogRotation} frees whole tables.
 */
@NullMarked
package io.postroad.postgres.internal.log;

import org.jspecify.annotations.NullMarked;
