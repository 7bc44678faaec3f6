package io.postroad.example.payment.application.port.in;

/** Approves a payment. */
public interface ApprovePaymentUseCase {

  /**
   * In one transaction: the payment is stored and its event is in the outbox, or neither.
   *
   * @throws io.postroad.example.payment.domain.InvalidPaymentException nothing was stored
   * @throws io.postroad.example.payment.application.port.out.PaymentExistsException it was approved
   *     before, nothing was changed
   */
  PaymentResponse approvePayment(ApprovePaymentCommand command);
}
