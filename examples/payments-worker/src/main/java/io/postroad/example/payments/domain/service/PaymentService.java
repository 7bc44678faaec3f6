package io.postroad.example.payments.domain.service;

import io.postroad.example.payments.application.command.CreatePaymentCommand;
import io.postroad.example.payments.application.command.PaymentCreated;
import io.postroad.example.payments.domain.model.Payment;
import io.postroad.example.payments.domain.repository.PaymentRepository;
import jakarta.inject.Singleton;
import jakarta.transaction.Transactional;

/** Hands in payments, each once, and tells of them. Safe to use from many threads. */
@Singleton
public class PaymentService {
  private final PaymentRepository payments;
  private final PaymentEvents events;

  public PaymentService(PaymentRepository payments, PaymentEvents events) {
    this.payments = payments;
    this.events = events;
  }

  /** The payment and the event about it are one transaction. */
  @Transactional
  public PaymentCreated createPayment(CreatePaymentCommand cmd) {
    Payment payment = payments.findById(cmd.paymentId()).orElseGet(() -> submitted(cmd));
    return new PaymentCreated(payment.paymentId(), payment.status());
  }

  private Payment submitted(CreatePaymentCommand cmd) {
    Payment payment =
        Payment.submitted(
            cmd.paymentId(),
            cmd.debitAccountId(),
            cmd.debitAmount(),
            cmd.creditAmount(),
            cmd.valueDate(),
            cmd.beneficiary(),
            cmd.fxContractId());
    payments.save(payment);
    events.submitted(payment);
    return payment;
  }
}
