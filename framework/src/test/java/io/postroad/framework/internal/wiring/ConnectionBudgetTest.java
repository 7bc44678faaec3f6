package io.postroad.framework.internal.wiring;

import static org.assertj.core.api.Assertions.assertThat;

import io.postroad.framework.internal.wiring.ConnectionBudget.Part;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The rule for connections that both frameworks use. */
class ConnectionBudgetTest {
  private static ConnectionBudget budget(@Nullable Integer connections, Part... parts) {
    return new ConnectionBudget(() -> connections, () -> List.of(parts));
  }

  @Test
  void anUnknownPoolAllowsTenHandlersForEachPart() {
    ConnectionBudget unknown = budget(null, Part.relay(), Part.commands(null), Part.inbox(null));

    assertThat(unknown.handlers(null)).isEqualTo(10);
    assertThat(unknown.handlers(40)).isEqualTo(40);
    assertThat(unknown.warning()).isEmpty();
  }

  @Test
  void onePartHasHalfOfThePoolTenAtMost() {
    assertThat(budget(10, Part.relay(), Part.commands(null)).handlers(null)).isEqualTo(5);
    assertThat(budget(40, Part.relay(), Part.commands(null)).handlers(null)).isEqualTo(10);
  }

  @Test
  void partsShareTheRestBesideRelayInboxAndBus() {
    ConnectionBudget shared = budget(10, Part.relay(), Part.commands(null), Part.inbox(null));

    assertThat(shared.handlers(null)).isEqualTo(2);
    assertThat(shared.warning()).isEmpty();
  }

  @Test
  void givenNumbersLeaveLessForTheOthers() {
    assertThat(
            budget(40, Part.relay(), Part.commands(16), Part.inbox(null), Part.kafkaReceiver(null))
                .handlers(null))
        .isEqualTo(2);
  }

  @Test
  void aPoolThatIsTooSmallStillAllowsOneHandler() {
    ConnectionBudget small = budget(2, Part.relay(), Part.commands(null));

    assertThat(small.handlers(null)).isEqualTo(1);
    assertThat(small.warning()).get().asString().contains("raise the pool to 5");
  }

  @Test
  void allQueuesTogetherHaveOneShare() {
    ConnectionBudget queues = budget(20, Part.relay(), Part.jmsReceiver(null, 4));

    assertThat(queues.handlersPerQueue(null, 4)).isEqualTo(2);
    assertThat(queues.handlersPerQueue(null, 40)).isEqualTo(1);
    assertThat(queues.handlersPerQueue(3, 4)).isEqualTo(3);
  }

  @Test
  void aSumThatDoesNotFitIsWarnedOf() {
    assertThat(budget(20, Part.relay(), Part.inbox(4), Part.jmsReceiver(3, 3)).warning())
        .contains(
            "handlers can use up the 20 connections of the pool and keep requests and the relay"
                + " waiting: 13 run at once (postroad.inbox.concurrency=4,"
                + " postroad.jms.receiver.concurrency=9), beside 4 connections of relay, inbox and"
                + " command bus; raise the pool to 26, or lower those numbers");
  }

  @Test
  void aBusWithoutHandlersNeedsNoConnections() {
    assertThat(budget(10, Part.relay(), Part.noCommands(), Part.inbox(null)).handlers(null))
        .isEqualTo(5);
  }
}
