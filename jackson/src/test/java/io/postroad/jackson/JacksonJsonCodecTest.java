package io.postroad.jackson;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.postroad.message.JsonCodec;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class JacksonJsonCodecTest {
  private static final long BEYOND_DOUBLE = (1L << 53) + 1;

  private final JsonCodec codec = JacksonJsonCodec.create();

  record Line(String sku, int count) {}

  enum State {
    OPEN,
    CLOSED
  }

  record Order(
      UUID id,
      long number,
      BigDecimal amount,
      State state,
      Instant placedAt,
      OffsetDateTime wantedAt,
      LocalDate due,
      Duration patience,
      Optional<String> note,
      List<Line> lines,
      Map<String, BigInteger> counters) {}

  record Nothing() {}

  record Numbers(long number, BigDecimal amount) {}

  @Test
  void aRecordIsRestoredCompletely() {
    Order order =
        new Order(
            UUID.fromString("018f0000-0000-7000-8000-000000000001"),
            Long.MIN_VALUE,
            new BigDecimal("123456789012345678901234567890.10"),
            State.CLOSED,
            Instant.parse("2026-02-03T04:05:06.123456789Z"),
            OffsetDateTime.parse("2026-02-03T04:05:06+09:00"),
            LocalDate.parse("2026-02-28"),
            Duration.ofSeconds(90),
            Optional.of("grüße \uD83D\uDE00 \" \\ \n"),
            List.of(new Line("a", 1), new Line("b", 2)),
            Map.of("big", new BigInteger("340282366920938463463374607431768211456")));

    assertThat(codec.decode(codec.encode(order), Order.class)).isEqualTo(order);
  }

  @Test
  void timesAreIsoText() {
    assertThat(codec.encode(Map.of("at", Instant.parse("2026-02-03T04:05:06Z"))))
        .isEqualTo("{\"at\":\"2026-02-03T04:05:06Z\"}");
    assertThat(codec.encode(List.of(LocalDate.parse("2026-02-03"), Duration.ofMinutes(2))))
        .isEqualTo("[\"2026-02-03\",\"PT2M\"]");
  }

  @Test
  void numbersBeyondDoubleAreExactInTypedAndUntypedPlaces() {
    Numbers numbers = new Numbers(BEYOND_DOUBLE, new BigDecimal("0.10000000000000000000000000001"));

    String json = codec.encode(numbers);

    assertThat(json)
        .isEqualTo("{\"number\":9007199254740993,\"amount\":0.10000000000000000000000000001}");
    assertThat(codec.decode(json, Numbers.class)).isEqualTo(numbers);
    assertThat(codec.decode(json, Object.class))
        .isEqualTo(Map.of("number", BEYOND_DOUBLE, "amount", numbers.amount()));
    assertThat(codec.decode("{\"amount\":1.10}", JsonNode.class).get("amount").decimalValue())
        .isEqualTo(new BigDecimal("1.10"));
  }

  @Test
  void unknownPropertiesAreIgnored() {
    assertThat(codec.decode("{\"sku\":\"a\",\"new\":{\"x\":[1]},\"count\":2}", Line.class))
        .isEqualTo(new Line("a", 2));
  }

  @Test
  void unknownFieldsAreRefusedOnRequestAndNotRepeated() {
    JacksonJsonCodec lenient = JacksonJsonCodec.create();
    JsonCodec strict = lenient.refusingUnknownFields();

    assertThat(strict.decode("{\"sku\":\"a\",\"count\":2}", Line.class))
        .isEqualTo(new Line("a", 2));
    BadJsonTest.assertRefused(
            () -> strict.decode("{\"sku\":\"a\",\"count\":2,\"secret\":1}", Line.class))
        .hasMessageContaining(
            "a field does not fit, %s has [count, sku] only at line 1, column ",
            Line.class.getName());
    BadJsonTest.assertRefused(
            () -> strict.decode("[{\"sku\":\"a\",\"count\":2,\"secret\":1}]", Line[].class))
        .hasMessageEndingWith(" in [0]");
    assertThat(lenient.decode("{\"sku\":\"a\",\"count\":2,\"new\":1}", Line.class))
        .isEqualTo(new Line("a", 2));
  }

  @Test
  void refusingUnknownFieldsKeepsEverythingElse() {
    JsonCodec small = JacksonJsonCodec.create(7).refusingUnknownFields();
    JsonCodec strict = JacksonJsonCodec.create().refusingUnknownFields();

    BadJsonTest.assertRefused(() -> small.encode("abcdef")).hasMessageContaining("limit of 7");
    BadJsonTest.assertRefused(() -> strict.decode("{\"a\":1,\"a\":1}", Object.class))
        .hasMessageContaining("occurs twice");
  }

  @Test
  void refusingUnknownFieldsDoesNotChangeTheApplicationsMapper() {
    JsonMapper own = JsonMapper.builder().build();

    BadJsonTest.assertRefused(
        () ->
            JacksonJsonCodec.over(own)
                .refusingUnknownFields()
                .decode("{\"sku\":\"a\",\"count\":1,\"new\":2}", Line.class));
    assertThat(own.isEnabled(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)).isFalse();
  }

  @Test
  void recordWithoutComponentsIsAnEmptyObject() {
    assertThat(codec.encode(new Nothing())).isEqualTo("{}");
    assertThat(codec.decode("{}", Nothing.class)).isEqualTo(new Nothing());
  }

  @Test
  void depthOfSixtyFourIsReadAndWritten() {
    String json = "[".repeat(64) + "]".repeat(64);

    assertThat(codec.encode(codec.decode(json, List.class))).isEqualTo(json);
  }

  @Test
  void documentOfExactlyTheLimitIsReadAndWritten() {
    JsonCodec small = JacksonJsonCodec.create(7);

    assertThat(small.encode("aéo")).isEqualTo("\"aéo\"");
    assertThat(small.decode("\"ééa\"", String.class)).isEqualTo("ééa");
  }

  @Test
  void limitBelowOneByteIsRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> JacksonJsonCodec.create(0))
        .withMessageContaining("maxDocument must be 1 byte or more, got 0");
  }

  @Test
  void theApplicationsMapperIsUsedUnchanged() {
    JsonMapper strict =
        JsonMapper.builder().enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES).build();
    JsonCodec over = JacksonJsonCodec.over(strict);

    BadJsonTest.assertRefused(
            () -> over.decode("{\"sku\":\"a\",\"count\":1,\"new\":2}", Line.class))
        .hasMessageContaining("does not fit");
    assertThat(over.decode("[".repeat(65) + "]".repeat(65), Object.class)).isInstanceOf(List.class);
    assertThat(over.decode("{\"x\":1,\"x\":2}", Object.class)).isEqualTo(Map.of("x", 2));
    BadJsonTest.assertRefused(() -> over.decode("\"\\ud800\"", String.class))
        .hasMessageContaining("lone surrogate");
  }
}
