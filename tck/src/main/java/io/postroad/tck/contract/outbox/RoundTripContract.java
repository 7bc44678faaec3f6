package io.postroad.tck.contract.outbox;

import static org.assertj.core.api.Assertions.assertThat;

import io.postroad.message.Message;
import io.postroad.message.MessageCategory;
import io.postroad.message.Payload;
import io.postroad.message.TraceContext;
import io.postroad.tck.Capability;
import io.postroad.tck.StoreContract;
import io.postroad.tck.StoreUnderTest;
import io.postroad.tck.contract.scene.Samples;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** An appended message comes back unchanged, by {@code find} and to relays. */
@StoreContract
public final class RoundTripContract {

  @Test
  void everyPartOfAMessageComesBack(StoreUnderTest tck) throws Exception {
    Message message = Samples.whole(tck.store().now());
    tck.append(message);

    assertComesBack(tck, message);
  }

  @Test
  void whatWasLeftOutStaysAbsent(StoreUnderTest tck) throws Exception {
    Message message = Message.event("Bare").to("events").json("{}").build();
    tck.append(message);

    Message found = tck.find(message.id()).message();

    assertThat(found.aggregateType()).isEmpty();
    assertThat(found.aggregateId()).isEmpty();
    assertThat(found.key()).isEmpty();
    assertThat(found.headers()).isEmpty();
    assertThat(found.deduplicationKey()).isEmpty();
    assertThat(found.notBefore()).isEmpty();
    assertThat(found.tenant()).isEmpty();
    assertThat(found.trace()).isEmpty();
    assertThat(found.schemaVersion()).isEqualTo(1);
    assertComesBack(tck, message);
  }

  @Test
  void theKeyDefaultsToTheAggregateId(StoreUnderTest tck) throws Exception {
    Message message = Samples.builder().aggregate("Order", "42").build();
    tck.append(message);

    assertThat(tck.find(message.id()).message().key()).contains("42");
    assertThat(tck.receiveOne().key()).contains("42");
  }

  @Test
  void theTraceContextComesBack(StoreUnderTest tck) throws Exception {
    TraceContext trace = TraceContext.of(Samples.TRACEPARENT, "vendor=a:b,c=d", "user=1;ttl=5");
    Message message = Samples.builder().trace(trace).build();
    tck.append(message);

    assertThat(tck.find(message.id()).message().trace()).contains(trace);
    assertThat(tck.receiveOne().trace()).contains(trace);
  }

  @Test
  void everyCategoryComesBack(StoreUnderTest tck) throws Exception {
    for (MessageCategory category : MessageCategory.values()) {
      Message message = Message.of(category, "Sample").to("samples").json("{}").build();
      tck.append(message);
      assertThat(tck.find(message.id()).message().category()).isEqualTo(category);
      assertComesBack(tck, message);
    }
  }

  @Test
  void jsonKeepsItsTextExactly(StoreUnderTest tck) throws Exception {
    String json =
        "{ \"b\" : 1.00,\n\t\"a\":1e2, \"a\":[ ],\"c\":\"\\u00e4\\u0000 \\\"q\\\"\" }\r\n";
    Message message = Samples.builder().json(json).build();
    tck.append(message);

    assertThat(tck.find(message.id()).message().payload().text()).contains(json);
    assertComesBack(tck, message);
  }

  @Test
  void textOfAnotherContentTypeStaysText(StoreUnderTest tck) throws Exception {
    Payload xml = Payload.text("<order id=\"1\">\n  é\n</order>", "application/xml; charset=utf-8");
    Message message = Samples.builder().payload(xml).build();
    tck.append(message);

    assertThat(tck.find(message.id()).message().payload().isText()).isTrue();
    assertComesBack(tck, message);
  }

  @Test
  void emptyTextAndEmptyBytesStayWhatTheyAre(StoreUnderTest tck) throws Exception {
    Message text = Samples.builder().payload(Payload.text("", "text/plain")).build();
    tck.append(text);
    assertComesBack(tck, text);

    Message bytes = Samples.builder().payload(Payload.bytes(new byte[0], "image/png")).build();
    tck.append(bytes);
    assertComesBack(tck, bytes);
  }

  @Test
  void bytesComeBackByteForByte(StoreUnderTest tck) throws Exception {
    byte[] bytes = new byte[512];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = (byte) i;
    }
    Message message =
        Samples.builder().payload(Payload.bytes(bytes, "application/octet-stream")).build();
    tck.append(message);

    assertThat(tck.find(message.id()).message().payload().bytes()).isEqualTo(bytes);
    assertComesBack(tck, message);
  }

  /** Bytes that happen to be text must not turn into text: equality would break. */
  @Test
  void bytesThatAreJsonStayBytes(StoreUnderTest tck) throws Exception {
    byte[] json = {'{', '}'};
    Message message = Samples.builder().payload(Payload.bytes(json, Payload.JSON)).build();
    tck.append(message);

    assertThat(tck.find(message.id()).message().payload().isText()).isFalse();
    assertComesBack(tck, message);
  }

  @Test
  void payloadsOfAMebibyteComeBack(StoreUnderTest tck) throws Exception {
    byte[] bytes = new byte[1 << 20];
    new Random(42).nextBytes(bytes);
    Message binary = Samples.builder().payload(Payload.bytes(bytes, "image/png")).build();
    tck.append(binary);
    assertComesBack(tck, binary);

    Message text = Samples.builder().json("\"" + "x".repeat((1 << 20) - 2) + "\"").build();
    tck.append(text);
    assertComesBack(tck, text);
  }

  @Test
  void unicodeComesBackEverywhere(StoreUnderTest tck) throws Exception {
    String unicode = "Grüße 日本語 العربية e\u0301 \uD83D\uDE80 \u200F\uFEFF";
    Message message =
        Message.event(unicode)
            .to(unicode)
            .aggregate(unicode, unicode)
            .key(unicode)
            .header("unicode", unicode)
            .json("\"" + unicode + "\"")
            .deduplicationKey(unicode)
            .tenant(unicode)
            .build();
    tck.append(message);

    assertComesBack(tck, message);
  }

  @Test
  void textsOfTheGreatestLengthComeBack(StoreUnderTest tck) throws Exception {
    tck.needs(Capability.LONG_TEXTS);
    Message.Builder builder =
        Message.event("t".repeat(255))
            .to("d".repeat(255))
            .aggregate("a".repeat(255), "\uD83D\uDE80".repeat(256))
            .key("日".repeat(512))
            .deduplicationKey("\uD83D\uDE80".repeat(256))
            .tenant("日".repeat(255))
            .json("{}");
    for (int i = 0; i < 64; i++) {
      builder.header("header-" + i, "日".repeat(4096));
    }
    Message message = builder.build();
    tck.append(message);

    assertComesBack(tck, message);
  }

  private static void assertComesBack(StoreUnderTest tck, Message message) throws Exception {
    assertThat(tck.find(message.id()).message()).isEqualTo(message);
    assertThat(tck.receiveOne()).isEqualTo(message);
  }
}
