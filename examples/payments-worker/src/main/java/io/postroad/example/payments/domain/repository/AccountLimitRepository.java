package io.postroad.example.payments.domain.repository;

import io.postroad.example.payments.domain.model.AccountLimit;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** Keeps limits, each with its bookings. Joins the transaction of its caller. */
public interface AccountLimitRepository {

  /** Writes the limit and those of its bookings that changed. */
  void save(AccountLimit limit);

  Optional<AccountLimit> findById(UUID limitId);

  /** In the order in which they were made. */
  List<AccountLimit> findByAccountId(UUID accountId);

  /**
   * {@link #findByAccountId}, and nobody else changes them until the transaction of the caller
   * ends.
   */
  List<AccountLimit> findForUpdate(UUID accountId);

  /** The limit that a booking uses or has used; locked like {@link #findForUpdate}. */
  Optional<AccountLimit> findByBookingId(UUID bookingId);
}
