package io.postroad.example.payment.application.port.in;

/** Approves a payment. */
public interface ApprovePaymentUseCase {

  /**
   * Stores the payment and its outbox event in one transaction.
   *
   * @throws io.postroad.example.payment.domain.InvalidPaymentException if a field is invalid;
   *     nothing was stored
   * @throws io.postroad.example.payment.application.port.out.PaymentExistsException if it was
   *     approved before; nothing was changed
   */
  PaymentResponse approvePayment(ApprovePaymentCommand command);
}
