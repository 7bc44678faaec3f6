package io.postroad.example.payment.application.port.out;

import org.jspecify.annotations.Nullable;

/** Thrown when a payment with this id exists; nothing was changed. */
public final class PaymentExistsException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public PaymentExistsException(String paymentId, @Nullable Throwable cause) {
    super("payment %s was approved before".formatted(paymentId), cause);
  }
}
