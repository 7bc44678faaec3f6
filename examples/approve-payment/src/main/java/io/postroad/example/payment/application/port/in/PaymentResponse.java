package io.postroad.example.payment.application.port.in;

import io.postroad.example.payment.domain.PaymentDomain;
import java.math.BigDecimal;

/** The answer to a client. */
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
