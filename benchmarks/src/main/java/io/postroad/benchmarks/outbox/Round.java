package io.postroad.benchmarks.outbox;

import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;

/** One contender on empty tables and an empty topic, with a verifying consumer on that topic. */
final class Round implements AutoCloseable {
  /** A relay that delivers nothing for so long will not deliver the rest either. */
  private static final Duration PATIENCE = Duration.ofSeconds(15);

  private final Stage stage;
  private final Contender contender;
  private final Ledger ledger = new Ledger();
  private final Verifier verifier = new Verifier();
  private final Tap tap;
  private volatile Consumer<List<Event>> listener = events -> {};

  Round(Topic topic, Stage stage) {
    this.stage = stage;
    this.contender = stage.contender();
    this.tap = new Tap(topic.bootstrapServers(), topic.name(), this::received);
  }

  private void received(List<Event> events) {
    listener.accept(events);
    verifier.receive(events);
  }

  /** Hears of everything that arrives, on the consumer's thread. */
  void onArrival(Consumer<List<Event>> newListener) {
    listener = newListener;
  }

  /** One transaction with one event. */
  void enqueue(Event event, Runnable beforeCommit) throws Exception {
    stage.statements().leaveOut(() -> contender.enqueue(event, beforeCommit));
    ledger.committed(event);
  }

  /** One transaction with many events. */
  void fill(List<Event> events) throws Exception {
    stage.statements().leaveOut(() -> contender.fill(events));
    events.forEach(ledger::committed);
  }

  /** So many other keys are parked, with so many messages each. */
  void park(int keys, int each) throws Exception {
    stage.statements().leaveOut(() -> contender.park(keys, each));
  }

  void startRelay() throws Exception {
    contender.startRelay();
  }

  void stopRelay() {
    contender.stopRelay();
  }

  /** Waits until all that was committed has arrived. */
  void awaitArrival() throws InterruptedException {
    verifier.await(ledger.total(), PATIENCE);
  }

  long committed() {
    return ledger.total();
  }

  /** A transaction that has read and is not ended. */
  HeldTransaction holdReader() throws Exception {
    return stage.reader().begin();
  }

  /** What the servers of this round have spent. */
  Meter meter() {
    return stage.meter();
  }

  /** Stops the relay, reads the topic to its end and compares. */
  Verification verify() throws InterruptedException {
    contender.stopRelay();
    tap.finish();
    return verifier.against(ledger);
  }

  @Override
  public void close() {
    tap.close();
    contender.stopRelay();
    contender.close();
  }
}
