package io.postroad.spring.boot.payment;

/** What the controller calls. */
public interface ApprovePaymentUseCase {
  PaymentResponse approvePayment(ApprovePaymentCommand command);
}
