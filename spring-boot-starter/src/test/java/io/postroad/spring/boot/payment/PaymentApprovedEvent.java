package io.postroad.spring.boot.payment;

import java.math.BigDecimal;

/** The payload. */
public record PaymentApprovedEvent(
    String eventId,
    String paymentId,
    String userId,
    BigDecimal amount,
    String currency,
    String status,
    long occurredAt) {}
