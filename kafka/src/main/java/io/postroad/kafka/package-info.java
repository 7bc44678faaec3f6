/**
 * Kafka as the destination of the outbox: {@link io.postroad.kafka.KafkaSender} is the {@link
 * io.postroad.outbox.sender.MessageSender} that DISPATCH hands messages to.
 *
 * <ul>
 *   <li>{@code Handover} gives one batch to the producer, in order, in bounded time.
 *   <li>{@code ProducerSession} owns one producer and ends it at the first failure the broker or
 *       the network reports, before anything else can overtake.
 *   <li>{@code SendFailure} decides what a failure means: rejected, or unknown.
 *   <li>{@code RecordMapper} makes a Kafka record of a message.
 * </ul>
 */
@NullMarked
package io.postroad.kafka;

import org.jspecify.annotations.NullMarked;
