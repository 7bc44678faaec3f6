/**
 * Claims and settles messages one by one. {@link io.postroad.mongodb.internal.queue.Claimer}
 * claims, {@link io.postroad.mongodb.internal.queue.Settler} settles and extends, {@link
 * io.postroad.mongodb.internal.queue.Purger} removes. {@link
 * io.postroad.mongodb.internal.queue.QueueForm} says how a queue keeps messages: {@link
 * io.postroad.mongodb.internal.queue.NativeQueue} is the form that Postroad makes.
 */
@NullMarked
package io.postroad.mongodb.internal.queue;

import org.jspecify.annotations.NullMarked;
