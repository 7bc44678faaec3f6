package io.postroad.example.payments.domain.repository;

import io.postroad.example.payments.domain.model.Payment;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** Stores payments. Joins the caller's transaction. */
public interface PaymentRepository {
  void save(Payment payment);

  Optional<Payment> findById(UUID paymentId);

  /** Returns the payments that were debited to the account, by value date. */
  List<Payment> findByAccountId(UUID accountId);
}
