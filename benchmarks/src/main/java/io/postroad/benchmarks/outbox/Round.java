package io.postroad.benchmarks.outbox;

import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;

/** One contender with empty tables and an empty topic, and a verifying consumer of that topic. */
final class Round implements AutoCloseable {
  /** After this time without a delivery, a relay is regarded as stuck. */
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

  /** Passes all arriving events to a listener, on the consumer's thread. */
  void onArrival(Consumer<List<Event>> newListener) {
    listener = newListener;
  }

  /** Commits one transaction with one event. */
  void enqueue(Event event, Runnable beforeCommit) throws Exception {
    stage.statements().leaveOut(() -> contender.enqueue(event, beforeCommit));
    ledger.committed(event);
  }

  /** Commits one transaction with many events. */
  void fill(List<Event> events) throws Exception {
    stage.statements().leaveOut(() -> contender.fill(events));
    events.forEach(ledger::committed);
  }

  /** Blocks a number of other keys, with a number of messages each. */
  void block(int keys, int each) throws Exception {
    stage.statements().leaveOut(() -> contender.block(keys, each));
  }

  void startRelay() throws Exception {
    contender.startRelay();
  }

  void stopRelay() {
    contender.stopRelay();
  }

  /** Waits until all committed events have arrived. */
  void awaitArrival() throws InterruptedException {
    verifier.await(ledger.total(), PATIENCE);
  }

  long committed() {
    return ledger.total();
  }

  /** Opens a transaction that has read. */
  HeldTransaction holdReader() throws Exception {
    return stage.reader().begin();
  }

  /** Returns the meter of this round. */
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
