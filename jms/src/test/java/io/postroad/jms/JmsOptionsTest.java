package io.postroad.jms;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.postroad.inbox.Handlers;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

class JmsOptionsTest {
  private final JmsSenderOptions sender = JmsSenderOptions.defaults();
  private final JmsReceiverOptions receiver = JmsReceiverOptions.defaults();

  @Test
  void defaultsAreAsDocumented() {
    assertThat(sender.sendTimeout()).isEqualTo(Duration.ofSeconds(15));
    assertThat(sender.sessions()).isEqualTo(4);
    assertThat(sender.batchSize()).isEqualTo(500);
    assertThat(receiver.concurrency()).isEqualTo(10);
    assertThat(receiver.batchSize()).isEqualTo(10);
    assertThat(receiver.maxBodyBytes()).isEqualTo(1 << 20);
    assertThat(receiver.queues()).isEmpty();
  }

  @Test
  void eachOptionIsChangedAlone() {
    assertThat(receiver.withName("r").withQueues(Set.of("Q")).withConcurrency(1).withBatchSize(2))
        .isEqualTo(
            new JmsReceiverOptions(
                "r",
                Set.of("Q"),
                Map.of(),
                1,
                2,
                1 << 20,
                receiver.messageId(),
                receiver.reconnectAfter(),
                receiver.reconnectAtMost(),
                receiver.stopWithin()));
    assertThat(receiver.withMaxBodyBytes(7).withStopWithin(Duration.ofSeconds(1)))
        .extracting(JmsReceiverOptions::maxBodyBytes, JmsReceiverOptions::stopWithin)
        .containsExactly(7, Duration.ofSeconds(1));
    assertThat(sender.withSessions(2).withBatchSize(3).sessions()).isEqualTo(2);
  }

  @Test
  void aFilterBecomesASelector() {
    JmsReceiverOptions some = receiver.withOnly("REPLY.Q", "reply-owner", "o'brien");

    Handlers<Object> handlers =
        Handlers.builder().only("REPLY.Q", "reply-owner", "a").only("MY.Q", "to", "it's").build();

    assertThat(some.selector("REPLY.Q", handlers))
        .contains(HeaderNames.property("reply-owner") + " = 'o''brien'");
    assertThat(some.selector("MY.Q", handlers)).contains("to = 'it''s' OR to IS NULL");
    assertThat(some.selector("OTHER.Q", handlers)).isEmpty();
  }

  @Test
  void wrongValuesAreRefusedByName() {
    refused(() -> sender.withSendTimeout(Duration.ZERO), "JmsSenderOptions.sendTimeout");
    refused(() -> sender.withSessions(0), "JmsSenderOptions.sessions to be 1 or more, got 0");
    refused(() -> sender.withBatchSize(0), "JmsSenderOptions.batchSize");
    refused(
        () -> sender.withReconnect(Duration.ofSeconds(2), Duration.ofSeconds(1)),
        "JmsSenderOptions.reconnectAtMost");
    refused(() -> receiver.withConcurrency(0), "JmsReceiverOptions.concurrency");
    refused(() -> receiver.withBatchSize(0), "JmsReceiverOptions.batchSize");
    refused(() -> receiver.withMaxBodyBytes(0), "JmsReceiverOptions.maxBodyBytes");
    refused(
        () -> receiver.withMaxBodyBytes((8 << 20) + 1),
        "JmsReceiverOptions.maxBodyBytes to be 8388608 or less");
    refused(() -> receiver.withName(" "), "JmsReceiverOptions.name");
    refused(() -> receiver.withStopWithin(Duration.ZERO), "JmsReceiverOptions.stopWithin");
  }

  private static void refused(ThrowingCallable change, String why) {
    assertThatIllegalArgumentException().isThrownBy(change).withMessageContaining(why);
  }
}
