package io.postroad.example.payments.infrastructure.fx;

import io.micronaut.context.annotation.Property;
import io.micronaut.core.convert.format.MapFormat;
import io.micronaut.core.naming.conventions.StringConvention;
import io.postroad.example.payments.domain.model.Money;
import io.postroad.example.payments.domain.service.FxRates;
import jakarta.inject.Singleton;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Map;
import java.util.Optional;

/** Reads rates from the configuration ({@code fx.rates}); a real service would ask a market. */
@Singleton
final class ConfiguredFxRates implements FxRates {
  private final Map<String, BigDecimal> rates;

  ConfiguredFxRates(
      @Property(name = "fx.rates")
          @MapFormat(
              transformation = MapFormat.MapTransformation.FLAT,
              keyFormat = StringConvention.RAW)
          Map<String, BigDecimal> rates) {
    this.rates = rates;
  }

  /**
   * Uses the rate of the pair or of the opposite pair, and rounds down once, so that 130 at 1.30
   * are 100.
   */
  @Override
  public Optional<Money> worth(Money sell, String buyCurrency) {
    String sellCurrency = sell.currencyCode();
    return Optional.ofNullable(rates.get(sellCurrency + buyCurrency))
        .map(rate -> sell.amount().multiply(rate).setScale(Money.SCALE, RoundingMode.DOWN))
        .or(
            () ->
                Optional.ofNullable(rates.get(buyCurrency + sellCurrency))
                    .map(rate -> sell.amount().divide(rate, Money.SCALE, RoundingMode.DOWN)))
        .map(amount -> new Money(amount, buyCurrency));
  }
}
