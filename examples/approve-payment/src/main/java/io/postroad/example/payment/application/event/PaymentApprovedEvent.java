package io.postroad.example.payment.application.event;

import java.math.BigDecimal;

/** The payload: seven fields; {@code occurredAt} in milliseconds since 1970. */
public record PaymentApprovedEvent(
    String eventId,
    String paymentId,
    String userId,
    BigDecimal amount,
    String currency,
    String status,
    long occurredAt) {}
