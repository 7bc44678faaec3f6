package io.postroad.micronaut.guide;

import io.micronaut.context.annotation.Requires;
import io.micronaut.transaction.TransactionOperations;
import io.postroad.message.Message;
import io.postroad.outbox.Outbox;
import jakarta.inject.Singleton;
import jakarta.transaction.Transactional;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Map;
import java.util.UUID;

@Singleton
@Requires(env = "guide")
public class PaymentService {
  private final TransactionOperations<Connection> tx;
  private final Outbox<Connection> outbox;

  public PaymentService(TransactionOperations<Connection> tx, Outbox<Connection> outbox) {
    this.tx = tx;
    this.outbox = outbox;
  }

  @Transactional
  public Map<String, Object> createPayment(CreatePaymentCommand cmd) throws SQLException {
    UUID paymentId = UUID.randomUUID();
    try (PreparedStatement insert =
        tx.getConnection()
            .prepareStatement("INSERT INTO payment (payment_id, account_id) VALUES (?, ?)")) {
      insert.setObject(1, paymentId);
      insert.setObject(2, cmd.debitAccountId());
      insert.executeUpdate();
    }
    outbox.append(
        Message.event("PaymentCreated")
            .to("payments")
            .key("beneficiary-" + Math.round(cmd.amount()))
            .json("{}")
            .build());
    if (cmd.amount() == 13) {
      throw new IllegalStateException("InvalidBeneficiary");
    }
    return Map.of("paymentId", paymentId.toString(), "status", "SUBMITTED");
  }
}
