/**
 * Moves undelivered rows of another outbox into Postroad. {@link
 * io.postroad.postgres.drain.PostgresDrain} is the way in; {@link
 * io.postroad.postgres.drain.DrainSource} names the other table, {@link
 * io.postroad.postgres.drain.DrainMapping} makes a message of a row, {@link
 * io.postroad.postgres.drain.DrainReport} tells the result.
 */
@NullMarked
package io.postroad.postgres.drain;

import org.jspecify.annotations.NullMarked;
