package io.postroad.example.market.deal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigDecimal;
import java.time.Instant;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Every allowed and every forbidden change of status. */
class DealTest {
  private static final Deal CREATED =
      Deal.create("d-1", "ada", "channel-1", new BigDecimal("10.5"), "EUR");

  /** The changes of a deal. */
  private enum Step {
    FUND(deal -> deal.fund(new BigDecimal("10.50")), DealStatus.FUNDED),
    COMPLETE(Deal::complete, DealStatus.COMPLETED),
    CANCEL(deal -> deal.cancel("changed my mind"), DealStatus.CANCELLED);

    @SuppressWarnings("ImmutableEnumChecker")
    private final UnaryOperator<Deal> action;

    private final DealStatus to;

    Step(UnaryOperator<Deal> action, DealStatus to) {
      this.action = action;
      this.to = to;
    }
  }

  private static final Map<DealStatus, Set<Step>> ALLOWED =
      Map.of(
          DealStatus.CREATED, Set.of(Step.FUND, Step.CANCEL),
          DealStatus.FUNDED, Set.of(Step.COMPLETE, Step.CANCEL),
          DealStatus.COMPLETED, Set.of(),
          DealStatus.CANCELLED, Set.of());

  @ParameterizedTest
  @EnumSource
  void onlyAllowedChangesOfStatusSucceed(DealStatus from) {
    Deal deal = in(from);
    for (Step step : Step.values()) {
      if (ALLOWED.getOrDefault(from, Set.of()).contains(step)) {
        Deal next = step.action.apply(deal);
        assertThat(next.status()).isEqualTo(step.to);
        assertThat(next.version()).isEqualTo(deal.version() + 1);
      } else {
        assertThatThrownBy(() -> step.action.apply(deal))
            .as("%s in %s", step, from)
            .isInstanceOf(DealStateException.class)
            .hasMessageContaining(from.name());
      }
    }
  }

  private static Deal in(DealStatus status) {
    Deal funded = CREATED.fund(CREATED.price());
    return switch (status) {
      case CREATED -> CREATED;
      case FUNDED -> funded;
      case COMPLETED -> funded.complete();
      case CANCELLED -> CREATED.cancel("changed my mind");
    };
  }

  @Test
  void onlyTheWholePriceIsAccepted() {
    assertThatThrownBy(() -> CREATED.fund(new BigDecimal("10.49")))
        .isInstanceOf(InvalidDealException.class)
        .hasMessage("amount must be the price, 10.50");
  }

  @ParameterizedTest
  @EnumSource
  void theEventHasTheTypeOfTheChangeAndItsOwnKey(DealStatus status) {
    Deal deal = in(status);
    DealEvent event = DealEvent.of(deal, Instant.EPOCH);

    assertThat(event.eventType().toUpperCase(Locale.ROOT)).isEqualTo("DEAL" + status);
    assertThat(event.idempotencyKey()).isEqualTo("d-1:" + deal.version());
  }
}
