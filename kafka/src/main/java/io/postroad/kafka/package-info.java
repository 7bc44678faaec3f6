/**
 * Kafka as a destination of the outbox and a source of the inbox. DISPATCH hands messages to {@link
 * io.postroad.kafka.KafkaSender}. {@code Handover} passes one batch to the producer, in order, in
 * bounded time. {@code ProducerSession} owns one producer and closes it at the first failure that
 * the broker or the network reports, before a later message can overtake. {@code SendFailure}
 * decides whether a failure means rejected or unknown. {@code RecordMapper} converts messages to
 * Kafka records.
 *
 * <p>{@link io.postroad.kafka.KafkaReceiver} runs a {@code ReceiverLoop} per consumer group. {@code
 * RecordReader} converts records to messages, and {@code PartitionProgress} computes the offset to
 * commit.
 */
@NullMarked
package io.postroad.kafka;

import org.jspecify.annotations.NullMarked;
