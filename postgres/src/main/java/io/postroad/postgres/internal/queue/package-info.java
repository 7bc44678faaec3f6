/**
 * Claims and settles messages one by one. {@link io.postroad.postgres.internal.queue.Claimer}
 * claims, {@link io.postroad.postgres.internal.queue.Settler} settles and extends, {@link
 * io.postroad.postgres.internal.queue.Purger} removes. {@link
 * io.postroad.postgres.internal.queue.KeyOrder} keeps order in adopted tables, {@link
 * io.postroad.postgres.internal.queue.ExclusiveLease} lets one node claim at a time. {@link
 * io.postroad.postgres.internal.queue.OutboxSql} has the statements.
 */
@NullMarked
package io.postroad.postgres.internal.queue;

import org.jspecify.annotations.NullMarked;
