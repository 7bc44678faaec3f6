package io.postroad.example.payments.domain.service;

import io.postroad.example.payments.domain.model.Money;
import java.util.Optional;

/**
 * Market rates. An implementation is thread-safe and fast, because it is called in transactions.
 */
public interface FxRates {

  /** Returns the exact market value of an amount, rounded down; empty if the pair is not traded. */
  Optional<Money> worth(Money sell, String buyCurrency);
}
