package io.postroad.spring.boot.payment;

import java.math.BigDecimal;

/** What the controller got. */
public record ApprovePaymentCommand(
    String paymentId, String userId, BigDecimal amount, String currency) {}
