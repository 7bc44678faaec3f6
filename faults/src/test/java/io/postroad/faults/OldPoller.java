package io.postroad.faults;

import com.zaxxer.hikari.HikariDataSource;
import io.postroad.kafka.KafkaSender;
import io.postroad.kafka.KafkaSenderOptions;
import io.postroad.message.Message;
import io.postroad.outbox.sender.SendOutcome;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * What teams write by hand, as the payment service did: read what is pending, oldest first, without
 * a lock; send it; mark it. It knows nothing of Postroad.
 */
final class OldPoller implements AutoCloseable {
  private static final String PENDING =
      "SELECT id, event_type, topic, partition_key, payload FROM outbox_event"
          + " WHERE status = 'PENDING' ORDER BY created_at LIMIT 100";
  private static final String PUBLISHED =
      "UPDATE outbox_event SET status = 'PUBLISHED', published_at = now() WHERE id = ?";

  private final HikariDataSource pool;
  private final KafkaSender sender;
  private final Thread thread;
  private final AtomicInteger published = new AtomicInteger();
  private volatile boolean stopped;

  OldPoller(String jdbcUrl, String bootstrapServers) {
    pool = Pools.open(jdbcUrl, "old-poller");
    sender =
        KafkaSender.create(
            KafkaSenderOptions.of(bootstrapServers).withSendTimeout(Duration.ofSeconds(5)));
    thread = new Thread(this::run, "old-poller");
    thread.start();
  }

  int published() {
    return published.get();
  }

  private void run() {
    while (!stopped) {
      try (Connection connection = pool.getConnection()) {
        for (Message message : pending(connection)) {
          SendOutcome outcome =
              sender.send(List.of(message)).get(0).toCompletableFuture().get(30, TimeUnit.SECONDS);
          if (outcome instanceof SendOutcome.Accepted) {
            mark(connection, message.id());
            published.incrementAndGet();
          }
        }
      } catch (Exception failed) {
        // It tries again, as they do; a test that waits for it says what it waits for.
        Thread.onSpinWait();
      }
    }
  }

  private static List<Message> pending(Connection connection) throws SQLException {
    List<Message> messages = new ArrayList<>();
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(PENDING)) {
      while (row.next()) {
        messages.add(
            Message.event(row.getString(2))
                .id(UUID.fromString(row.getString(1)))
                .to(row.getString(3))
                .key(row.getString(4))
                .json(row.getString(5))
                .build());
      }
    }
    return messages;
  }

  private static void mark(Connection connection, UUID id) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(PUBLISHED)) {
      statement.setString(1, id.toString());
      statement.executeUpdate();
    }
  }

  @Override
  public void close() throws Exception {
    stopped = true;
    thread.join();
    sender.close();
    pool.close();
  }
}
