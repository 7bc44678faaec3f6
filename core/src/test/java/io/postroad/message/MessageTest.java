package io.postroad.message;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.Map;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;

class MessageTest {
  private static final String TRACE = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";

  private static Message.Builder order() {
    return Message.event("OrderPlaced").to("orders").json("{}");
  }

  private static void refused(UnaryOperator<Message.Builder> change, String... parts) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> change.apply(order()).build())
        .satisfies(error -> assertThat(error.getMessage()).contains(parts));
  }

  @Test
  void theKeyIsTheAggregateIdUnlessGiven() {
    assertThat(order().build().key()).isEmpty();
    assertThat(order().aggregate("Order", "42").build().key()).contains("42");
    assertThat(order().aggregate("Order", "42").key("customer-7").build().key())
        .contains("customer-7");
  }

  @Test
  void headersAreSortedAndCannotBeChanged() {
    Map<String, String> headers = order().header("b", "2").header("a", "1").build().headers();

    assertThat(headers.keySet()).containsExactly("a", "b");
    assertThat(headers).isUnmodifiable();
  }

  @Test
  void theTraceContextIsSentAsHeaders() {
    Message traced = order().trace(TraceContext.of(TRACE, "vendor=1", null)).build();

    assertThat(traced.headers()).containsEntry("traceparent", TRACE);
    assertThat(traced.trace()).contains(TraceContext.of(TRACE, "vendor=1", null));
    assertThat(order().build().trace()).isEmpty();
  }

  @Test
  void aMalformedTraceparentIsRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> TraceContext.of("00-xyz"))
        .withMessageContaining("traceparent must look like");
  }

  @ParameterizedTest
  @NullSource
  @ValueSource(strings = {"", "  "})
  @SuppressWarnings("NullAway")
  void aMissingTypeOrDestinationIsRefused(String nothing) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Message.event(nothing).to("orders").json("{}").build())
        .withMessageContaining("message type must not be");
    refused(builder -> builder.to(nothing), "message destination must not be", "topic, queue");
  }

  @Test
  void aMissingPayloadIsRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Message.event("OrderPlaced").to("orders").build())
        .withMessageContaining("payload must not be null");
  }

  @Test
  void textsThatCannotBeStoredAreRefused() {
    refused(b -> b.key("a\u0000b"), "message key", "control characters", "U+0000");
    refused(b -> b.tenant("line\nbreak"), "message tenant", "U+000A");
    refused(b -> b.key("\ud800"), "message key", "lone surrogate");
    refused(b -> b.key("k".repeat(513)), "message key", "512", "513");
    refused(b -> b.schemaVersion(0), "schema version", "0");
  }

  @Test
  void headersThatCannotBeSentAreRefused() {
    refused(b -> b.header("event-id", "1"), "'event-id' is reserved");
    refused(b -> b.header("postroad-x", "1"), "'postroad-x' is reserved");
    refused(b -> b.header("a:b", "1"), "header name 'a:b'");
    refused(b -> b.header("x", "a\r\nInjected: 1"), "header 'x'", "control characters");
    refused(b -> b.header("x", "v".repeat(4097)), "header 'x'", "4096");
    refused(
        b -> {
          for (int i = 0; i < 65; i++) {
            b.header("h" + i, "v");
          }
          return b;
        },
        "64 headers at most, got 65");
  }

  @Test
  void thePayloadNeverShowsInTexts() {
    assertThat(order().json("{\"secret\":1}").build().toString()).doesNotContain("secret");
    assertThat(Payload.json("{\"secret\":1}").toString()).doesNotContain("secret");
  }
}
