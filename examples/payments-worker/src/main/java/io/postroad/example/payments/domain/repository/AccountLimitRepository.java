package io.postroad.example.payments.domain.repository;

import io.postroad.example.payments.domain.model.AccountLimit;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** Stores limits with their bookings. Joins the caller's transaction. */
public interface AccountLimitRepository {

  /** Writes the limit and its changed bookings. */
  void save(AccountLimit limit);

  Optional<AccountLimit> findById(UUID limitId);

  /** Returns the limits of an account in the order of their creation. */
  List<AccountLimit> findByAccountId(UUID accountId);

  /** Returns the limits of an account and locks them until the caller's transaction ends. */
  List<AccountLimit> findForUpdate(UUID accountId);

  /** Returns and locks the limit that a booking uses or has used. */
  Optional<AccountLimit> findByBookingId(UUID bookingId);
}
