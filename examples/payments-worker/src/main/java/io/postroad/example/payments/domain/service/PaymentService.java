package io.postroad.example.payments.domain.service;

import io.postroad.example.payments.application.command.CreatePaymentCommand;
import io.postroad.example.payments.application.command.PaymentCreated;
import io.postroad.example.payments.domain.model.BookingClosedException;
import io.postroad.example.payments.domain.model.BookingConflictException;
import io.postroad.example.payments.domain.model.BookingKind;
import io.postroad.example.payments.domain.model.Payment;
import io.postroad.example.payments.domain.repository.BookingRepository;
import io.postroad.example.payments.domain.repository.PaymentRepository;
import jakarta.inject.Singleton;
import jakarta.transaction.Transactional;

/** Submits payments, each once, and publishes them. Thread-safe. */
@Singleton
public class PaymentService {
  private final PaymentRepository payments;
  private final BookingRepository bookings;
  private final PaymentEvents events;

  public PaymentService(
      PaymentRepository payments, BookingRepository bookings, PaymentEvents events) {
    this.payments = payments;
    this.bookings = bookings;
    this.events = events;
  }

  /**
   * Submits a payment and its event in one transaction. A payment with a reversed debit is refused,
   * because its process was undone before this command arrived.
   *
   * @throws BookingClosedException if the debit was reversed
   * @throws BookingConflictException if a payment with this id has other content
   */
  @Transactional
  public PaymentCreated createPayment(CreatePaymentCommand cmd) {
    Payment wanted =
        Payment.submitted(
            cmd.paymentId(),
            cmd.debitAccountId(),
            cmd.debitAmount(),
            cmd.creditAmount(),
            cmd.valueDate(),
            cmd.beneficiary(),
            cmd.fxContractId());
    Payment payment = payments.findById(cmd.paymentId()).orElseGet(() -> submit(wanted));
    if (!payment.equals(wanted)) {
      throw new BookingConflictException(cmd.paymentId(), payment, wanted);
    }
    return new PaymentCreated(payment.paymentId(), payment.status());
  }

  private Payment submit(Payment payment) {
    bookings.open(BookingKind.TRANSACTION, payment.paymentId());
    payments.save(payment);
    events.submitted(payment);
    return payment;
  }
}
