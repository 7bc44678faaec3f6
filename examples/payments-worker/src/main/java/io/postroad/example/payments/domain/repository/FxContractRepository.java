package io.postroad.example.payments.domain.repository;

import io.postroad.example.payments.domain.model.FxContract;
import java.util.Optional;
import java.util.UUID;

/** Stores FX contracts. Joins the caller's transaction. */
public interface FxContractRepository {
  void save(FxContract contract);

  Optional<FxContract> findById(UUID fxContractId);

  Optional<FxContract> findByBookingId(UUID bookingId);
}
