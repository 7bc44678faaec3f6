package io.postroad.internal.inbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.postroad.inbox.Incoming;
import io.postroad.inbox.PermanentFailure;
import io.postroad.message.Message;
import io.postroad.spi.InboxEntry;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class RetryLineTest {
  private static final Message MESSAGE =
      Message.command("ReserveStock")
          .to("orders")
          .aggregate("Order", "4711")
          .key("customer-17")
          .header("region", "eu")
          .json("{}")
          .tenant("acme")
          .schemaVersion(3)
          .build();

  private static final InboxEntry ENTRY =
      new InboxEntry("id-1", "billing", "orders", Optional.of("customer-17"));

  @Test
  void aMessageIsRestoredAsItWasReceived() {
    Incoming incoming = Incoming.of(MESSAGE);

    Message kept = RetryLine.of(incoming, ENTRY);

    assertThat(kept.destination()).as("its order").isEqualTo("orders");
    assertThat(RetryLine.handler(kept)).isEqualTo("billing");
    assertThat(kept.id()).isNotEqualTo(MESSAGE.id());
    assertThat(RetryLine.received(kept)).isEqualTo(incoming);
  }

  @Test
  void aMessageWithTheMostHeadersCanBeStored() {
    Message.Builder full = Message.event("Full").to("orders").json("{}");
    for (int i = 0; i < 64; i++) {
      full.header("h" + i, "v");
    }
    Incoming incoming = Incoming.of(full.build());

    assertThat(RetryLine.received(RetryLine.of(incoming, ENTRY))).isEqualTo(incoming);
  }

  @Test
  void anyReasonCanBeStoredInAHeader() {
    String reason = "first line\nsecond\u0000" + "x".repeat(10_000);
    Incoming refused = new Incoming("id-1", MESSAGE, Optional.of(reason));

    String kept = RetryLine.received(RetryLine.of(refused, ENTRY)).refusal().orElseThrow();

    assertThat(kept).startsWith("first line second").hasSize(2_048);
  }

  @Test
  void aMessageWithoutItsRetryHeadersIsRefused() {
    assertThatExceptionOfType(PermanentFailure.class)
        .isThrownBy(() -> RetryLine.received(MESSAGE))
        .withMessageContaining("retry-of");
  }
}
