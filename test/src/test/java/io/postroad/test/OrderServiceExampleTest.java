package io.postroad.test;

import static org.assertj.core.api.Assertions.assertThat;

import io.postroad.message.Message;
import io.postroad.outbox.Outbox;
import io.postroad.outbox.OutboxRelay;
import io.postroad.outbox.sender.MessageSender;
import io.postroad.outbox.sender.SendOutcome;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

/** How a service tests what it sends: no server, no sleep. */
class OrderServiceExampleTest {
  private final ManualClock clock = ManualClock.startingAt(Instant.parse("2026-01-01T00:00:00Z"));
  private final InMemoryCompetingStore store = new InMemoryCompetingStore(clock);
  private final Outbox<InMemoryTransaction> outbox = Outbox.over(store);
  private final List<Message> delivered = new ArrayList<>();
  private final OutboxRelay relay = OutboxRelay.builder(store, new ListSender()).build();

  @Test
  void aReminderIsSentADayAfterTheOrder() {
    placeOrder("42");

    relay.drain();
    assertThat(delivered).extracting(Message::type).containsExactly("OrderPlaced");

    clock.advance(Duration.ofDays(1));
    relay.drain();
    assertThat(delivered)
        .extracting(Message::type)
        .containsExactly("OrderPlaced", "PaymentReminder");
  }

  private void placeOrder(String id) {
    store
        .transactions()
        .run(
            transaction ->
                outbox.appendAll(
                    List.of(
                        Message.event("OrderPlaced")
                            .to("orders")
                            .aggregate("Order", id)
                            .json("{}")
                            .build(),
                        Message.event("PaymentReminder")
                            .to("reminders")
                            .aggregate("Order", id)
                            .notBefore(store.now().plus(Duration.ofDays(1)))
                            .json("{}")
                            .build())));
  }

  private final class ListSender implements MessageSender {
    @Override
    public String name() {
      return "list";
    }

    @Override
    public Duration timeout() {
      return Duration.ofSeconds(1);
    }

    @Override
    public List<CompletionStage<SendOutcome>> send(List<Message> messages) {
      delivered.addAll(messages);
      SendOutcome accepted = new SendOutcome.Accepted(Map.of());
      return messages.stream()
          .<CompletionStage<SendOutcome>>map(message -> CompletableFuture.completedFuture(accepted))
          .toList();
    }

    @Override
    public void close() {}
  }
}
