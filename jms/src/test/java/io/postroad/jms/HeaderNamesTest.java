package io.postroad.jms;

import static org.assertj.core.api.Assertions.assertThat;

import io.postroad.message.Message;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HeaderNamesTest {
  private static final String ALLOWED = "abchxyzABCHJMSXYZ0123456789-_.-_.-_.";
  private static final List<String> BEGINNINGS =
      List.of("", "", "JMS", "jms", "JMSX", "JMS_", "JmS", "-", "_", ".", "7", "h", "not", "-AMQ-");
  private static final List<String> RESERVED =
      List.of("NULL", "true", "False", "NOT", "and", "OR", "between", "LIKE", "in", "is", "escape");

  @ParameterizedTest
  @CsvSource({
    "event-type, event_type",
    "traceparent, traceparent",
    "order_id, order$_id",
    "app.region, app$$region",
    "3d-model, $3d_model",
    "JMSType, $JMSType",
    "jmsKind, $jmsKind",
    "not, $not",
    "-x, $hx",
    "nothing, nothing"
  })
  void headerNamesAreEncoded(String header, String property) {
    assertThat(HeaderNames.property(header)).isEqualTo(property);
    assertThat(HeaderNames.header(property)).isEqualTo(header);
  }

  @Test
  void everyHeaderNameIsRestoredFromAValidJmsIdentifier() {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    Map<String, String> headers = new HashMap<>();
    for (int i = 0; i < 20_000; i++) {
      String header = randomName(random);
      String property = HeaderNames.property(header);

      assertThat(HeaderNames.header(property)).as("%s, seed %d", property, seed).isEqualTo(header);
      assertThat(isValidForJms(property)).as("%s for %s, seed %d", property, header, seed).isTrue();
      String clash = headers.putIfAbsent(property, header);
      assertThat(clash).as("%s, seed %d", property, seed).isIn(null, header);
    }
  }

  @Test
  void reservedWordsAreEncoded() {
    for (String word : RESERVED) {
      assertThat(HeaderNames.property(word)).isEqualTo("$" + word);
      assertThat(HeaderNames.header("$" + word)).isEqualTo(word);
    }
  }

  @Test
  void everyPropertyNameOfOtherSendersHasAHeader() {
    assertThat(HeaderNames.header("customer_id")).isEqualTo("customer-id");
    assertThat(HeaderNames.header("ends$")).isEqualTo("ends$");
    assertThat(HeaderNames.header("größe")).isEqualTo("größe");
  }

  private static String randomName(Random random) {
    StringBuilder name = new StringBuilder(BEGINNINGS.get(random.nextInt(BEGINNINGS.size())));
    int length = 1 + random.nextInt(12);
    for (int i = 0; i < length; i++) {
      name.append(ALLOWED.charAt(random.nextInt(ALLOWED.length())));
    }
    var unused = Message.event("T").to("q").json("{}").header(name.toString(), "v").build();
    return name.toString();
  }

  private static boolean isValidForJms(String property) {
    return Character.isJavaIdentifierStart(property.charAt(0))
        && property.chars().allMatch(Character::isJavaIdentifierPart)
        && !property.regionMatches(true, 0, "JMS", 0, 3)
        && !property.startsWith("_")
        && RESERVED.stream().noneMatch(property::equalsIgnoreCase);
  }
}
