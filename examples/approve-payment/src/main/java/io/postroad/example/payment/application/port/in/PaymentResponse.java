package io.postroad.example.payment.application.port.in;

import io.postroad.example.payment.domain.PaymentDomain;
import java.math.BigDecimal;

/** What a client gets. */
public record PaymentResponse(
    String paymentId, String userId, BigDecimal amount, String currency, String status) {

  public PaymentResponse(PaymentDomain payment) {
    this(
        payment.getPaymentId(),
        payment.getUserId(),
        payment.getAmount(),
        payment.getCurrency(),
        payment.getStatus().name());
  }
}
