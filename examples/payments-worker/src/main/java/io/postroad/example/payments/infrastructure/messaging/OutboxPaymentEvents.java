package io.postroad.example.payments.infrastructure.messaging;

import io.postroad.example.payments.domain.model.Payment;
import io.postroad.example.payments.domain.service.PaymentEvents;
import io.postroad.message.JsonCodec;
import io.postroad.message.Message;
import io.postroad.outbox.Outbox;
import jakarta.inject.Singleton;
import java.sql.Connection;

/** Publishes events through the outbox, only after the transaction is committed. */
@Singleton
final class OutboxPaymentEvents implements PaymentEvents {
  private final Outbox<Connection> outbox;
  private final JsonCodec codec;

  OutboxPaymentEvents(Outbox<Connection> outbox, JsonCodec codec) {
    this.outbox = outbox;
    this.codec = codec;
  }

  @Override
  public void submitted(Payment payment) {
    var unused =
        outbox.append(
            Message.event("PaymentSubmitted")
                .to(Queues.PAYMENTS)
                .aggregate("Payment", payment.paymentId().toString())
                .key(payment.debitAccountId().toString())
                .json(payment, codec)
                .build());
  }
}
