package io.postroad.inbox;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.postroad.message.Message;
import io.postroad.message.MessageCategory;
import io.postroad.message.MessageIds;
import io.postroad.message.Payload;
import io.postroad.message.WireHeaders;
import java.util.List;
import org.junit.jupiter.api.Test;

class IncomingBuilderTest {
  private static final int LIMIT = 1_000;

  private static IncomingBuilder builder() {
    return new IncomingBuilder("orders", "orders-3@17", LIMIT);
  }

  @Test
  void aMessageOfAPostroadSenderIsRestoredCompletely() {
    Message sent =
        Message.command("ReserveStock")
            .to("orders")
            .aggregate("Order", "4711")
            .key("customer-17")
            .header("region", "eu")
            .payload(Payload.text("<a/>", "application/xml"))
            .tenant("acme")
            .schemaVersion(3)
            .build();
    IncomingBuilder builder = builder().body(sent.payload().bytes()).key("customer-17");
    WireHeaders.of(sent).forEach(builder::header);

    assertThat(builder.build()).isEqualTo(Incoming.of(sent));
  }

  @Test
  void theGivenIdPrecedesTheMessagesIdWhichPrecedesTheBrokersId() {
    assertThat(builder().build().messageId()).isEqualTo("orders-3@17");
    assertThat(builder().header("event-id", "own").build().messageId()).isEqualTo("own");
    assertThat(builder().header("event-id", "own").messageId("given").build().messageId())
        .isEqualTo("given");
    assertThat(builder().build().message().id()).isEqualTo(MessageIds.of("orders-3@17"));
  }

  /** Two messages with a blank id are not one message. */
  @Test
  void aBlankIdCountsAsMissing() {
    assertThat(builder().header("event-id", "").build().messageId()).isEqualTo("orders-3@17");
    assertThat(builder().header("event-id", "  ").build().messageId()).isEqualTo("orders-3@17");
    assertThat(builder().header("event-id", "own").messageId("").build().messageId())
        .isEqualTo("own");
  }

  @Test
  void anIdThatIsTooLongIsReplacedByADerivedId() {
    String tooLong = "x".repeat(600);

    String id = builder().messageId(tooLong).build().messageId();

    assertThat(id).hasSize(36).isEqualTo(builder().messageId(tooLong).build().messageId());
  }

  @Test
  void aForeignMessageIsAnEventOfUnknownType() {
    Message message = builder().body("{}".getBytes(UTF_8)).build().message();

    assertThat(message.type()).isEqualTo(IncomingBuilder.UNKNOWN_TYPE);
    assertThat(message.category()).isEqualTo(MessageCategory.EVENT);
    assertThat(message.payload()).isEqualTo(Payload.json("{}"));
    assertThat(message.key()).isEmpty();
  }

  @Test
  void bytesThatAreNotTextStayBytes() {
    byte[] notUtf8 = {(byte) 0xc3, 0x28};
    byte[] nul = {'a', 0, 'b'};

    assertThat(builder().body(notUtf8).build().message().payload().isText()).isFalse();
    assertThat(builder().body(notUtf8).build().message().payload().bytes()).isEqualTo(notUtf8);
    assertThat(builder().body(nul).build().message().payload().bytes()).isEqualTo(nul);
  }

  @Test
  void invalidHeadersAreLeftOutAndListed() {
    IncomingBuilder builder =
        builder()
            .header("good", "yes")
            .header("bad name", "x")
            .header("control", "a\u0001b")
            .header("long", "x".repeat(5_000))
            .header("binary", new byte[] {(byte) 0xff})
            .header("none", (byte[]) null);

    assertThat(builder.build().message().headers()).containsOnlyKeys("good");
    assertThat(builder.leftOut())
        .isEqualTo(List.of("bad name", "control", "long", "binary", "none"));
    assertThat(builder.build().refusal()).isEmpty();
  }

  @Test
  void aMessageWithTooManyHeadersIsRefusedAndTheFirst64AreKept() {
    IncomingBuilder builder = builder().body("{}".getBytes(UTF_8));
    for (int i = 0; i < 1_000; i++) {
      builder.header("h" + i, "v");
    }

    Incoming incoming = builder.build();

    assertThat(incoming.refusal()).contains("it has 1000 headers, the limit is 64");
    assertThat(incoming.message().headers()).hasSize(64).containsKey("h0");
    assertThat(incoming.message().payload()).isEqualTo(Payload.json("{}"));
  }

  @Test
  void aBodyOverTheLimitIsRefusedAndKept() {
    byte[] large = "x".repeat(LIMIT + 1).getBytes(UTF_8);

    Incoming incoming = builder().body(large).build();

    assertThat(incoming.refusal()).contains("its body has 1001 bytes, the limit is 1000");
    assertThat(incoming.message().payload().bytes()).isEqualTo(large);
    assertThat(builder().body("x".repeat(LIMIT).getBytes(UTF_8)).build().refusal()).isEmpty();
  }

  @Test
  void aBodyAboveTheStorageLimitIsCut() {
    Incoming incoming = builder().body(new byte[9 * 1024 * 1024]).build();

    assertThat(incoming.refusal()).isPresent();
    assertThat(incoming.message().payload().size()).isEqualTo(8 * 1024 * 1024);
  }

  @Test
  void invalidPartsAreRefusedWithTheReason() {
    assertThat(builder().header("postroad-category", "gossip").build().refusal().orElse(""))
        .contains("unknown message category 'gossip'");
    assertThat(builder().header("postroad-schema-version", "new").build().refusal()).isPresent();
    assertThat(builder().header("event-type", " ").build().refusal().orElse(""))
        .contains("message type must not be empty");
  }

  /** Two records with an empty key have the same key; a record without one has none. */
  @Test
  void anEmptyKeyIsAKey() {
    assertThat(builder().key(new byte[0]).build().message().key())
        .isPresent()
        .isEqualTo(builder().key("").build().message().key())
        .isNotEqualTo(builder().key(" ").build().message().key());
    assertThat(builder().key((byte[]) null).build().message().key()).isEmpty();
    assertThat(builder().key((String) null).build().message().key()).isEmpty();
  }

  @Test
  void keysThatAreNotTextKeepOrder() {
    byte[] odd = {(byte) 0xff, 1};

    assertThat(builder().key(odd).build().message().key())
        .isPresent()
        .isEqualTo(builder().key(odd).build().message().key());
    assertThat(builder().key("k".repeat(600)).build().message().key().orElse(""))
        .hasSizeLessThan(60);
    assertThat(builder().header("postroad-key", "from-header").build().message().key())
        .contains("from-header");
  }

  @Test
  void anyInvalidHeaderRefusesTheMessageAndKeepsItsBody() {
    byte[] body = "{}".getBytes(UTF_8);
    for (IncomingBuilder hostile :
        List.of(
            builder().header("content-type", "x".repeat(300)),
            builder().header("content-type", " "),
            builder().header("postroad-key", "k".repeat(2_000)),
            builder().header("event-type", "t".repeat(2_000)),
            builder().header("event-type", ""),
            builder().header("postroad-tenant", "t".repeat(2_000)),
            builder().header("postroad-aggregate-type", "").header("postroad-aggregate-id", ""),
            builder().header("postroad-schema-version", "-1"),
            builder().header("postroad-category", "x"))) {
      Incoming incoming = hostile.body(body).build();
      assertThat(incoming.message().payload().bytes()).isEqualTo(body);
    }
  }

  @Test
  void aBodyIsNeverGivenToAHandlerCutShort() {
    byte[] large = new byte[9 * 1024 * 1024];

    Incoming incoming =
        new IncomingBuilder("orders", "1", IncomingBuilder.MAX_BYTES).body(large).build();

    assertThat(incoming.refusal()).isPresent();
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new IncomingBuilder("orders", "1", IncomingBuilder.MAX_BYTES + 1))
        .withMessageContaining("maxBytes to be 8388608 or less, got 8388609");
  }
}
