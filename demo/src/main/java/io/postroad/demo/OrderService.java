package io.postroad.demo;

import io.postroad.message.JsonCodec;
import io.postroad.message.Message;
import io.postroad.outbox.Outbox;
import io.postroad.spi.OutboxStore;
import io.postroad.transaction.Transactions;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.UUID;

/** Stores orders: the row and its event are committed together. */
final class OrderService {
  static final String TOPIC = "orders";

  private final Transactions<Connection> transactions;
  private final Outbox<Connection> outbox;
  private final JsonCodec json;

  OrderService(OutboxStore<Connection> store, JsonCodec json) {
    this.transactions = store.transactions();
    this.outbox = Outbox.over(store);
    this.json = json;
  }

  /** Stores the order and returns the id of its event; the commit stores both. */
  UUID place(Order order) throws SQLException {
    return transactions.call(
        connection -> {
          insert(connection, order);
          return outbox.append(placed(order)).id();
        });
  }

  private Message placed(Order order) {
    return Message.event("OrderPlaced")
        .to(TOPIC)
        .aggregate("Order", order.id().toString())
        .key(order.customer())
        .json(order, json)
        .build();
  }

  private static void insert(Connection connection, Order order) throws SQLException {
    String sql = "INSERT INTO orders (id, customer, number, cents) VALUES (?, ?, ?, ?)";
    try (PreparedStatement insert = connection.prepareStatement(sql)) {
      insert.setObject(1, order.id());
      insert.setString(2, order.customer());
      insert.setInt(3, order.number());
      insert.setLong(4, order.cents());
      insert.executeUpdate();
    }
  }
}
