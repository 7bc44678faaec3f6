package io.postroad.micrometer;

import io.micrometer.core.instrument.MeterRegistry;
import io.postroad.outbox.OutboxObserver;
import io.postroad.outbox.OutboxSignal;
import io.postroad.outbox.OutboxSignal.Subject;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;

/**
 * The meters of an outbox that count its signals. Pass it to {@code Outbox.over(..)} and to its
 * relays and workers on this node; pass another one, under another name, to {@code
 * Inbox.builder(..).retryObserver}.
 *
 * <pre>{@code
 * OutboxMeters meters = OutboxMeters.of(registry, "orders");
 * Outbox<Connection> outbox = Outbox.over(store, OutboxOptions.defaults(), meters);
 * OutboxRelay relay = OutboxRelay.builder(store, sender).observer(meters).build();
 * }</pre>
 *
 * <p>Safe to use from many threads. Counters start at zero with the process: a crash loses their
 * values.
 */
public final class OutboxMeters implements OutboxObserver {
  private static final String DOWN = "down";
  private static final String PAUSED = "paused";

  private final MeterBook book;
  private final String outbox;
  private final Set<String> relays = ConcurrentHashMap.newKeySet();
  private final Set<String> lanes = ConcurrentHashMap.newKeySet();
  private final Set<String> down = ConcurrentHashMap.newKeySet();
  private final Set<String> paused = ConcurrentHashMap.newKeySet();
  private final AtomicReference<Double> skew = new AtomicReference<>(0.0);
  private final Listening<OutboxSignal> listening = new Listening<>();

  private OutboxMeters(MeterBook book, String outbox) {
    this.book = book;
    this.outbox = outbox;
    book.introduce("outbox", outbox);
    listenToMessages();
    listenToRelays();
    listenToKeysAndDestinations();
    var unusedRelays = book.gauge(PostroadMeter.OUTBOX_RELAYS, relays::size, outbox);
    var unusedLanes = book.gauge(PostroadMeter.OUTBOX_LANES, lanes::size, outbox);
    var unusedDown = book.gauge(PostroadMeter.OUTBOX_DESTINATIONS_CLOSED, down::size, outbox, DOWN);
    var unusedPaused =
        book.gauge(PostroadMeter.OUTBOX_DESTINATIONS_CLOSED, paused::size, outbox, PAUSED);
    var unusedSkew = book.gauge(PostroadMeter.OUTBOX_CLOCK_SKEW, skew::get, outbox);
  }

  /**
   * Registers meters under this name.
   *
   * @param outbox the value of the tag {@code outbox}; the same on all nodes, and another one for
   *     each outbox of a service
   */
  public static OutboxMeters of(MeterRegistry registry, String outbox) {
    return new OutboxMeters(new MeterBook(registry), outbox);
  }

  @Override
  public void on(OutboxSignal signal) {
    listening.tell(signal);
  }

  Set<Class<?>> kinds() {
    return listening.kinds();
  }

  private void listenToMessages() {
    listening
        .on(
            OutboxSignal.Appended.class,
            signal -> count(PostroadMeter.OUTBOX_NEW, signal.message()))
        .on(
            OutboxSignal.Deduplicated.class,
            signal -> count(PostroadMeter.OUTBOX_DEDUPLICATED, signal.message()))
        .on(
            OutboxSignal.Delivered.class,
            signal -> {
              count(PostroadMeter.OUTBOX_PUBLISHED, signal.message());
              count(PostroadMeter.OUTBOX_DONE, signal.message());
            })
        .on(
            OutboxSignal.RetryScheduled.class,
            signal -> count(PostroadMeter.OUTBOX_FAILED, signal.message(), "retry"))
        .on(
            OutboxSignal.Died.class,
            signal -> {
              count(PostroadMeter.OUTBOX_FAILED, signal.message(), "dead");
              count(PostroadMeter.OUTBOX_RECORDS_FAILED, signal.message());
              count(PostroadMeter.OUTBOX_FAILED_EVENTS, signal.message());
            })
        .on(
            OutboxSignal.Released.class,
            signal -> count(PostroadMeter.OUTBOX_RELEASED, signal.message(), "unknown"))
        .on(
            OutboxSignal.SetAside.class,
            signal -> count(PostroadMeter.OUTBOX_RELEASED, signal.message(), "aside"))
        .on(
            OutboxSignal.LeaseExpired.class,
            signal -> count(PostroadMeter.OUTBOX_LEASES_EXPIRED, signal.message()))
        .on(
            OutboxSignal.FenceRejected.class,
            signal -> book.count(PostroadMeter.OUTBOX_FENCE_REJECTED, outbox, signal.verb()));
  }

  private void listenToRelays() {
    listening
        .on(
            OutboxSignal.Polled.class,
            signal -> {
              book.count(PostroadMeter.OUTBOX_POLL_COUNT, outbox);
              book.time(PostroadMeter.OUTBOX_POLL_DURATION, signal.took(), outbox);
            })
        .on(
            OutboxSignal.StoreFailed.class,
            signal -> book.count(PostroadMeter.OUTBOX_STORE_FAILURES, outbox, signal.verb()))
        .on(
            OutboxSignal.Purged.class,
            signal -> book.add(PostroadMeter.OUTBOX_PURGED, (double) signal.messages(), outbox))
        .on(
            OutboxSignal.PurgeBlocked.class,
            signal -> book.count(PostroadMeter.OUTBOX_PURGES_BLOCKED, outbox))
        .on(OutboxSignal.Started.class, signal -> relays.add(signal.relay()))
        .on(OutboxSignal.Stopped.class, signal -> stopped(signal.relay()))
        .on(OutboxSignal.ClockSkewed.class, signal -> skew.set(signal.ahead().toNanos() / 1e9))
        .on(OutboxSignal.LaneTaken.class, signal -> lanes.add(of(signal.relay(), signal.lane())))
        .on(
            OutboxSignal.LaneReleased.class,
            signal -> lanes.remove(of(signal.relay(), signal.lane())))
        .on(
            OutboxSignal.LaneLost.class,
            signal -> {
              lanes.remove(of(signal.relay(), signal.lane()));
              book.count(PostroadMeter.OUTBOX_LANES_LOST, outbox);
            });
  }

  private void listenToKeysAndDestinations() {
    listening
        .on(
            OutboxSignal.KeyHeld.class,
            signal ->
                book.count(PostroadMeter.OUTBOX_KEYS_HELD, outbox, signal.message().destination()))
        .ignoring(OutboxSignal.KeyFreed.class)
        .ignoring(OutboxSignal.KeysParked.class)
        .on(
            OutboxSignal.DestinationDown.class,
            signal -> down.add(of(signal.relay(), signal.destination())))
        .on(
            OutboxSignal.DestinationUp.class,
            signal -> down.remove(of(signal.relay(), signal.destination())))
        .on(
            OutboxSignal.DestinationPaused.class,
            signal -> paused.add(of(signal.relay(), signal.destination())))
        .on(
            OutboxSignal.DestinationResumed.class,
            signal -> paused.remove(of(signal.relay(), signal.destination())));
  }

  /** Forgets the lanes and destinations of a relay that has stopped. */
  private void stopped(String relay) {
    relays.remove(relay);
    for (Set<String> known : List.of(lanes, down, paused)) {
      known.removeIf(one -> one.startsWith(of(relay, "")));
    }
  }

  private static String of(String relay, Object subject) {
    return relay + "\n" + subject;
  }

  private void count(PostroadMeter meter, Subject message) {
    book.count(meter, outbox, message.destination(), message.type());
  }

  private void count(PostroadMeter meter, Subject message, String outcome) {
    book.count(meter, outbox, message.destination(), message.type(), outcome);
  }
}
