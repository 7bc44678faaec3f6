package io.postroad.faults;

import io.postroad.message.Message;
import io.postroad.outbox.Outbox;
import io.postroad.store.OutboxStore;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;

/** The service under test: a business row and an event for each booking, in one transaction. */
final class Bookings {
  /** The type of events of a transaction that commits after later ones. */
  static final String LATE = "BookedLate";

  /** The type of events that kill the relay that sends them. */
  static final String POISON = "BookedPoison";

  private final OutboxStore<Connection> store;
  private final Outbox<Connection> outbox;
  private final String topic;

  Bookings(OutboxStore<Connection> store, String topic) {
    this.store = store;
    this.outbox = Outbox.over(store);
    this.topic = topic;
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
  void write(List<Message> events, Runnable beforeCommit) throws SQLException {
    store
        .transactions()
        .run(
            connection -> {
              insert(connection, events);
              outbox.appendAll(events);
              beforeCommit.run();
            });
  }

  private static void insert(Connection connection, List<Message> events) throws SQLException {
    String sql = "INSERT INTO booking (event_id, account) VALUES (?, ?)";
    try (PreparedStatement insert = connection.prepareStatement(sql)) {
      for (Message event : events) {
        insert.setObject(1, event.id());
        insert.setString(2, event.key().orElseThrow());
        insert.addBatch();
      }
      insert.executeBatch();
    }
  }
}
