package io.postroad.example.payments.domain.repository;

import io.postroad.example.payments.domain.model.Payment;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** Keeps payments. Joins the transaction of its caller. */
public interface PaymentRepository {
  void save(Payment payment);

  Optional<Payment> findById(UUID paymentId);

  /** Those that were debited to the account, by value date. */
  List<Payment> findByAccountId(UUID accountId);
}
