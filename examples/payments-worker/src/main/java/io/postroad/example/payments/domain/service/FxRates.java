package io.postroad.example.payments.domain.service;

import io.postroad.example.payments.domain.model.Money;
import java.util.Optional;

/** What the market pays. Safe to use from many threads, and quick: it is asked in transactions. */
public interface FxRates {

  /** What is paid for this now, not a fraction more; empty when these are not traded. */
  Optional<Money> worth(Money sell, String buyCurrency);
}
