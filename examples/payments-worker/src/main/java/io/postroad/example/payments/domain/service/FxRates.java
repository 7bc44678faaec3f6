package io.postroad.example.payments.domain.service;

import java.math.BigDecimal;
import java.util.Optional;

/** What the market pays. Safe to use from many threads, and quick: it is asked in transactions. */
public interface FxRates {

  /** How much is bought for one unit that is sold; empty when these are not traded. */
  Optional<BigDecimal> rate(String sellCurrency, String buyCurrency);
}
