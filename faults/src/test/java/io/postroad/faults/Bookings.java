package io.postroad.faults;

import io.postroad.message.Message;
import io.postroad.outbox.Outbox;
import io.postroad.spi.OutboxStore;
import java.util.ArrayList;
import java.util.List;

/**
 * The service under test: a business row and an event for each booking, in one transaction.
 *
 * @param <T> what a transaction is
 */
final class Bookings<T> {
  /** The type of events of a transaction that commits after later ones. */
  static final String LATE = "BookedLate";

  /** The type of events that kill the relay that sends them. */
  static final String POISON = "BookedPoison";

  private final OutboxStore<T> store;
  private final Ledger<T> ledger;
  private final Outbox<T> outbox;
  private final String topic;

  Bookings(OutboxStore<T> store, Ledger<T> ledger, String topic) {
    this.store = store;
    this.ledger = ledger;
    this.outbox = Outbox.over(store);
    this.topic = topic;
  }

  Ledger<T> ledger() {
    return ledger;
  }

  /** The event of a booking, not written yet. */
  Message event(String account, int number) {
    return event("Booked", account, "" + number);
  }

  /** An event of another type, or with another text. */
  Message event(String type, String account, String text) {
    return Message.event(type).to(topic).key(account).json(text).build();
  }

  /**
   * Writes the bookings of these events.
   *
   * @param beforeCommit throws if they are to be rolled back
   */
  void write(List<Message> events, Runnable beforeCommit) throws Exception {
    store
        .transactions()
        .run(
            transaction -> {
              ledger.insert(transaction, events);
              outbox.appendAll(events);
              beforeCommit.run();
            });
  }

  /**
   * Books on accounts that many book on, and lets the ledger number the events.
   *
   * @param accounts in an order that all keep, where accounts are locked
   * @return the events of the transaction that was committed
   */
  List<Message> book(List<String> accounts, Runnable beforeCommit) throws Exception {
    return store
        .transactions()
        .call(
            transaction -> {
              List<Message> events = new ArrayList<>();
              for (String account : accounts) {
                events.add(event(account, ledger.count(transaction, account)));
              }
              ledger.insert(transaction, events);
              outbox.appendAll(events);
              beforeCommit.run();
              return events;
            });
  }

  /** Appends before anything else: only for accounts that one thread books on. */
  void appendFirst(List<Message> events, Runnable beforeCommit) throws Exception {
    store
        .transactions()
        .run(
            transaction -> {
              outbox.appendAll(events);
              ledger.insert(transaction, events);
              beforeCommit.run();
            });
  }
}
