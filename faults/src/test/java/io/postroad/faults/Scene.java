package io.postroad.faults;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.function.Supplier;

/**
 * A database with an outbox and business data, and a topic, both fresh.
 *
 * <p>Its questions go to the database over connections of their own: nothing here believes a pool,
 * a store or a relay.
 */
abstract class Scene implements AutoCloseable {
  static final int PARTITIONS = 3;

  private static final Duration DELIVERS_WITHIN = Duration.ofMinutes(5);
  private static final Duration AT_REST_WITHIN = Duration.ofMinutes(6);

  private final StoreKind kind;
  private final String bootstrapServers;
  private final String topic;

  Scene(StoreKind kind, String bootstrapServers, String topic) {
    this.kind = kind;
    this.bootstrapServers = bootstrapServers;
    this.topic = topic;
  }

  static String newTopic() {
    return "bookings-" + UUID.randomUUID();
  }

  /** Returns the present or last owner of a lane; an empty text for none. */
  record Lane(String node, long epoch) {}

  abstract DatabaseAddress database();

  /** The service; where it may run more than once, another one of it. */
  abstract Bookings<?> bookings();

  /** How much was delivered; places of the ordered outbox, since few of them are left free. */
  abstract long delivered() throws Exception;

  /** How many messages are neither delivered nor dead. */
  abstract long unfinished() throws Exception;

  abstract Set<UUID> committed() throws Exception;

  abstract Set<UUID> dead() throws Exception;

  /** How many messages of the competing outbox a relay holds. */
  abstract long leasedBy(String relay) throws Exception;

  /** The lane of the ordered outbox. */
  abstract Lane lane() throws Exception;

  /** Every position of the lane that was written down in an epoch and can still be seen. */
  abstract List<String> positionsOf(long epoch) throws Exception;

  abstract ChangeWatch watch() throws Exception;

  /** Describes where messages are, for error texts. */
  abstract String statuses();

  final StoreKind kind() {
    return kind;
  }

  final String topic() {
    return topic;
  }

  final String bootstrapServers() {
    return bootstrapServers;
  }

  /** Starts a relay on the competing outbox whose leases are as short as they may be: 5 s. */
  final RelayChild startRelay(String name) {
    return startRelay(name, Duration.ofMillis(500), HoldUp.NONE);
  }

  final RelayChild startRelay(String name, Duration leaseMargin, HoldUp holdUp) {
    return RelayChild.start(new RelayArgs(name, database(), bootstrapServers, leaseMargin, holdUp));
  }

  /** Waits until so many more messages are delivered. */
  final void awaitMoreDelivered(int messages, Seed seed) throws Exception {
    awaitPassed(delivered() + messages, seed);
  }

  /** Waits until everything that was appended by now, and can be seen, is settled. */
  final void awaitPassed(long place, Seed seed) throws Exception {
    Eventually.await(
        DELIVERS_WITHIN,
        () -> delivered() >= place,
        () -> "expected %d delivered: %s; %s".formatted(place, statuses(), seed));
  }

  /** Waits until every message is delivered or dead. */
  final void awaitRest(Supplier<String> context) throws Exception {
    Eventually.await(
        AT_REST_WITHIN,
        () -> unfinished() == 0,
        () -> "messages are stuck: " + statuses() + "; " + context.get());
  }

  /** Compares what was committed with what arrived. Only meaningful at rest. */
  final Findings findings(Set<UUID> acknowledged) throws Exception {
    return Findings.of(kind, committed(), acknowledged, dead(), arrivals());
  }

  /** Returns the present content of the topic, in order per key. */
  final List<Topic.Arrival> arrivals() {
    return Topic.readAll(bootstrapServers, topic);
  }
}
