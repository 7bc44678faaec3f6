package io.postroad.jackson;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.annotation.JsonValue;
import io.postroad.message.JsonCodecException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Text that is written without the mapper equals the text of the mapper. */
class PlainJsonTest {
  private static final JacksonJsonCodec CODEC = JacksonJsonCodec.create();
  private static final JacksonJsonCodec MAPPER = JacksonJsonCodec.over(HardenedMapper.create());

  static Stream<Object> values() {
    return Stream.of(
        "plain text",
        "",
        "a \"quoted\" \\ text",
        "line\nline\ttab\u0000\u001f\u007f",
        "za\u017c\u00f3\u0142\u0107 \ud83d\ude80 \u2028",
        0,
        -7,
        Long.MIN_VALUE,
        true,
        false,
        1.5,
        1e300,
        new BigDecimal("12345678901234567890.1200"),
        new BigInteger("123456789012345678901234567890"),
        List.of(),
        List.of(1, "a", List.of(Map.of())),
        Map.of(),
        Map.of("k", Map.of("\"", List.of(false))),
        Map.of(1, "a key that is no text"),
        Collections.singletonList(null),
        Collections.singletonMap("none", null),
        nested(40),
        "x".repeat(100_000));
  }

  @ParameterizedTest
  @MethodSource("values")
  void equalsTheTextOfTheMapper(Object value) {
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("first", 1);
    map.put("value", value);
    map.put("list", List.of(value, value));

    assertThat(CODEC.encode(map)).isEqualTo(MAPPER.encode(map));
  }

  @Test
  void valuesThatTheMapperRefusesAreRefused() {
    assertRefused("\ud800");
    assertRefused(nested(200));
    assertRefused("x".repeat(2_000_000));
    List<Object> itself = new ArrayList<>();
    itself.add(itself);
    assertRefused(itself);
  }

  /** Otherwise the tests above would compare the mapper with itself. */
  @Test
  void plainMapsAreWrittenWithoutTheMapper() {
    assertThat(PlainJson.of(Map.of("list", List.of(1, "a", true, Map.of()))))
        .contains("{\"list\":[1,\"a\",true,{}]}");
    assertThat(PlainJson.of(Map.of("money", new BigDecimal("1.10")))).isEmpty();
    assertThat(PlainJson.of(List.of())).isEmpty();
  }

  /** A map class for which the mapper has its own form. */
  static final class Coded extends TreeMap<String, Object> {
    private static final long serialVersionUID = 1L;

    @JsonValue
    String code() {
      return "code";
    }
  }

  @Test
  void aMapOfAnotherClassHasItsOwnForm() {
    assertThat(CODEC.encode(Map.of("coded", new Coded()))).isEqualTo("{\"coded\":\"code\"}");
  }

  /** The limit of the codec applies, because a reader would refuse larger documents. */
  @Test
  void theLimitOfTheCodecApplies() {
    JacksonJsonCodec small = JacksonJsonCodec.create(20);

    assertThat(small.encode(Map.of("k", "0123456789"))).hasSize(18);
    assertThatThrownBy(() -> small.encode(Map.of("k", "0123456789012345")))
        .isInstanceOf(JsonCodecException.class)
        .hasMessageContaining("limit of 20");
  }

  private static void assertRefused(Object value) {
    assertThatThrownBy(() -> CODEC.encode(Map.of("value", value)))
        .isInstanceOf(JsonCodecException.class);
  }

  private static Object nested(int depth) {
    Object value = "deep";
    for (int i = 0; i < depth; i++) {
      value = i % 2 == 0 ? List.of(value) : Map.of("in", value);
    }
    return value;
  }
}
