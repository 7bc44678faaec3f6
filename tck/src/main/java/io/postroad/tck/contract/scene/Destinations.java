package io.postroad.tck.contract.scene;

import static org.assertj.core.api.Assertions.assertThat;

import io.postroad.message.Message;
import io.postroad.outbox.Backoff;
import io.postroad.outbox.OutboxRelay;
import io.postroad.outbox.OutboxSignal;
import io.postroad.outbox.RelayOptions;
import io.postroad.outbox.sender.SendOutcome;
import io.postroad.tck.StoreUnderTest;
import io.postroad.tck.contract.relay.KeyKeepingSender;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;

/** Destinations that a test lets fail; writes down what was sent to them and what arrived. */
public final class Destinations {
  public static final SendOutcome BUSY = SendOutcome.Rejected.forNow("busy");
  public static final SendOutcome SILENT = new SendOutcome.Unknown("no answer");

  /** Retries at once, so that only the breaker keeps it from hammering. */
  public static final RelayOptions EAGER =
      Relays.options()
          .withSweepEvery(Duration.ofMillis(20))
          .withProbeEvery(Duration.ofMillis(20))
          .withBackoff(new Backoff(Duration.ofMillis(1), 1, Duration.ofMillis(1), 0));

  private final List<OutboxSignal> signals = new CopyOnWriteArrayList<>();
  private final Map<String, SendOutcome> failing = new HashMap<>();
  private final List<Message> sent = new ArrayList<>();
  private final List<Message> arrived = new ArrayList<>();

  /** A relay that sends to them, started. */
  public OutboxRelay relay(StoreUnderTest tck, RelayOptions options) throws Exception {
    OutboxRelay relay =
        tck.closedAtEnd(
            Relays.builder(
                    tck.store(), new KeyKeepingSender(RecordingSender.answering(this::answer)))
                .options(options)
                .observer(signals::add)
                .build());
    relay.start();
    return relay;
  }

  /** Returns the signals of relays. */
  public List<OutboxSignal> signals() {
    return List.copyOf(signals);
  }

  private synchronized SendOutcome answer(Message message) {
    sent.add(message);
    SendOutcome failure = failing.get(message.destination());
    if (failure != null) {
      return failure;
    }
    arrived.add(message);
    return RecordingSender.accepted();
  }

  public synchronized void fail(String destination, SendOutcome outcome) {
    failing.put(destination, outcome);
  }

  public synchronized void mend(String destination) {
    failing.remove(destination);
  }

  public synchronized int sentTo(String destination) {
    return (int) sent.stream().filter(to -> to.destination().equals(destination)).count();
  }

  public synchronized List<Message> arrivedAt(String destination) {
    return arrived.stream().filter(to -> to.destination().equals(destination)).toList();
  }

  public void awaitAllOf(StoreUnderTest tck, String destination, List<Message> messages)
      throws Exception {
    Relays.eventually(
        tck,
        () -> assertThat(arrivedAt(destination)).containsExactlyInAnyOrderElementsOf(messages));
  }

  public void awaitInOrder(StoreUnderTest tck, String destination, List<Message> messages)
      throws Exception {
    Relays.eventually(
        tck, () -> assertThat(arrivedAt(destination)).containsExactlyElementsOf(messages));
  }

  public void awaitSentTo(StoreUnderTest tck, String destination, int count) throws Exception {
    Relays.eventually(tck, () -> assertThat(sentTo(destination)).isGreaterThanOrEqualTo(count));
  }

  public static Message to(String destination, String key) {
    return Message.event("OrderPlaced").to(destination).key(key).json("{}").build();
  }
}
