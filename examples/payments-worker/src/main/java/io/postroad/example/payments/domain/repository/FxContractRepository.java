package io.postroad.example.payments.domain.repository;

import io.postroad.example.payments.domain.model.FxContract;
import java.util.Optional;
import java.util.UUID;

/** Keeps FX contracts. Joins the transaction of its caller. */
public interface FxContractRepository {
  void save(FxContract contract);

  Optional<FxContract> findById(UUID fxContractId);

  Optional<FxContract> findByBookingId(UUID bookingId);
}
