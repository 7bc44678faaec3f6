package io.postroad.internal.inbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.postroad.inbox.Handlers;
import io.postroad.inbox.InboxOptions;
import io.postroad.inbox.MessageHandler;
import io.postroad.inbox.PermanentFailure;
import io.postroad.inbox.RetryableFailure;
import io.postroad.outbox.sender.SendOutcome.Again;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class HandlersTest {
  private static final MessageHandler<Object> NOTHING = (message, context) -> {};

  @Test
  void twoHandlersOfOneNameAreRefusedAndBothNamed() {
    Handlers.Builder<Object> builder =
        Handlers.builder().on("orders", "A", "billing", NOTHING).onAny("stock", "billing", NOTHING);

    assertThatIllegalStateException()
        .isThrownBy(builder::build)
        .withMessageContaining("billing (orders, A)")
        .withMessageContaining("billing (stock, any type)");
  }

  @Test
  void blankNamesAndDestinationsAreRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Handlers.builder().onAny("orders", " ", NOTHING));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Handlers.builder().onAny("", "billing", NOTHING))
        .withMessageContaining("billing");
  }

  @Test
  void theFirstKnownExceptionOfTheCauseChainDecides() {
    assertThat(Failures.again(new IllegalStateException("x"))).isEqualTo(Again.LATER);
    assertThat(Failures.again(new IllegalStateException(new PermanentFailure("x"))))
        .isEqualTo(Again.NEVER);
    assertThat(Failures.again(new RetryableFailure("x", new PermanentFailure("y"))))
        .isEqualTo(Again.LATER);
    assertThat(Failures.again(new PermanentFailure("x", new RetryableFailure("y"))))
        .isEqualTo(Again.NEVER);
  }

  @Test
  void aHandlerMayTakeLongerThanTheLaneLeaseOfTheRetryLine() {
    InboxOptions options = InboxOptions.defaults();
    Duration longer = options.retries().laneLeaseFor().multipliedBy(3);

    assertThat(options.withTimes(longer, longer, options.retries()).handlerTimeout())
        .isEqualTo(longer);
  }
}
