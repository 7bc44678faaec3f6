package io.postroad.jackson;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import io.postroad.message.JsonCodec;
import io.postroad.message.JsonCodecException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.AbstractThrowableAssert;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Every bad input is refused with its class and position, and its content ("secret") is never
 * repeated.
 */
class BadJsonTest {
  private final JsonCodec codec = JacksonJsonCodec.create();

  record Amount(String currency, int minor) {
    Amount {
      if (minor < 0) {
        throw new IllegalArgumentException("minor must not be negative");
      }
    }
  }

  record Booking(Instant at, Amount amount, Map<String, Integer> counts) {}

  @JsonTypeInfo(use = JsonTypeInfo.Id.NAME)
  @JsonSubTypes(@JsonSubTypes.Type(value = Circle.class, name = "circle"))
  sealed interface Shape {}

  record Circle(int radius) implements Shape {}

  @JsonTypeInfo(use = JsonTypeInfo.Id.CLASS)
  interface Gadget {}

  record Bomb(int x) implements Gadget {}

  static final class Opaque {
    @SuppressWarnings("unused")
    private final String hidden = "secret";
  }

  record Lazy(boolean loaded) {
    public String getName() {
      if (!loaded) {
        throw new IllegalStateException("not loaded");
      }
      return "name";
    }
  }

  static AbstractThrowableAssert<?, ? extends Throwable> assertRefused(ThrowingCallable call) {
    return assertThatThrownBy(call)
        .isInstanceOf(JsonCodecException.class)
        .satisfies(failure -> assertThat(failure.getCause()).isNotNull())
        .satisfies(failure -> assertThat(stackTrace(failure)).doesNotContain("secret"));
  }

  private static String stackTrace(Throwable failure) {
    StringWriter text = new StringWriter();
    failure.printStackTrace(new PrintWriter(text));
    return text.toString();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "secret",
        "<secret/>",
        "{secret: 1}",
        "{'currency':'secret'}",
        "{\"currency\":\"secret\",}",
        "{\"currency\":\"secret\" \"minor\":1}",
        "{\"currency\":\"secret\u0001\"}",
        "{\"currency\":\"\\x secret\"}",
        "/* secret */ {}",
        "{\"minor\":01}",
        "{\"minor\":NaN}"
      })
  void textThatIsNotJsonIsRefused(String text) {
    assertRefused(() -> codec.decode(text, Amount.class))
        .hasMessageStartingWith(
            "cannot read JSON as a io.postroad.jackson.BadJsonTest$Amount: the text is not JSON at"
                + " line 1, column ");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "  ", "{\"currency\":\"secret", "{\"currency\":\"secret\"", "[1,"})
  void textThatEndsEarlyIsRefused(String text) {
    assertRefused(() -> codec.decode(text, Amount.class))
        .hasMessageContaining("BadJsonTest$Amount");
  }

  @ParameterizedTest
  @ValueSource(strings = {"{} {}", "{} secret", "{}]", "1 2"})
  void trailingTextIsRefused(String text) {
    assertRefused(() -> codec.decode(text, Object.class)).hasMessageContaining("java.lang.Object");
  }

  @Test
  void bareNullIsRefused() {
    assertRefused(() -> codec.decode("null", Amount.class))
        .hasMessageContaining("the document is null");
  }

  @Test
  void depthOfSixtyFiveIsRefused() {
    assertRefused(() -> codec.decode("[".repeat(65) + "]".repeat(65), List.class))
        .hasMessageContaining("nesting depth (65) exceeds the maximum allowed (64");
    assertRefused(() -> codec.decode("{\"unknown\":" + "[".repeat(100_000), Amount.class))
        .hasMessageContaining("nesting depth (65) exceeds the maximum allowed (64");
  }

  @Test
  void cycleIsRefusedInsteadOfOverflowingTheStack() {
    List<Object> cycle = new ArrayList<>();
    cycle.add(cycle);

    assertRefused(() -> codec.encode(cycle))
        .hasMessageContaining("cannot write a java.util.ArrayList as JSON")
        .hasMessageContaining("nesting depth (65) exceeds the maximum allowed (64");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"minor\":1,\"minor\":1}",
        "{\"minor\":1,\"\\u006dinor\":2}",
        "{\"other\":{\"secret\":1,\"secret\":2}}"
      })
  void duplicateKeyIsRefused(String text) {
    assertRefused(() -> codec.decode(text, Amount.class))
        .hasMessageContaining("a key occurs twice in one object at line 1, column ");
    assertRefused(() -> codec.decode(text, Map.class)).hasMessageContaining("occurs twice");
  }

  @Test
  void aNumberOfAThousandDigitsIsRefusedEverywhere() {
    String digits = "7".repeat(1000);

    assertRefused(() -> codec.decode("{\"minor\":" + digits + "}", Amount.class))
        .hasMessageContaining("(1000) exceeds the maximum allowed (100");
    assertRefused(() -> codec.decode("[" + digits + "]", List.class));
    assertRefused(() -> codec.decode("[0." + digits + "]", BigDecimal[].class));
  }

  @Test
  void longNameIsRefused() {
    assertRefused(() -> codec.decode("{\"" + "n".repeat(1000) + "\":1}", Amount.class))
        .hasMessageContaining("exceeds the maximum allowed (256");
  }

  @Test
  void tooLargeDocumentIsRefusedBothWays() {
    String large = "é".repeat(512 * 1024);

    assertRefused(() -> codec.decode("\"" + large + "\"", String.class))
        .hasMessageContaining("1048578 bytes, more than the limit of 1048576");
    assertRefused(() -> codec.encode(large)).hasMessageContaining("1048578 bytes");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "\"secret \uD800\"",
        "\"\uDC00 secret\"",
        "\"\\ud800\"",
        "\"\\uDC00\"",
        "\"\\ud800 \\udc00\"",
        "\"\\ud800\\n\\udc00\"",
        "\"\\ud800\\ud800\\udc00\""
      })
  void loneSurrogateIsRefused(String text) {
    assertRefused(() -> codec.decode(text, String.class)).hasMessageContaining("lone surrogate at");
  }

  @ParameterizedTest
  @ValueSource(strings = {"\"\\ud83d\\ude00\"", "\"\\\\ud800\"", "\"\\u0000\\uD83D\\uDE00\\n\""})
  void wholeCharactersInEscapesAreRead(String text) {
    assertThat(codec.encode(codec.decode(text, String.class))).isNotEmpty();
  }

  @Test
  void loneSurrogateIsNotWritten() {
    assertRefused(() -> codec.encode(new Amount("secret\uD800", 1)))
        .hasMessageContaining("cannot write a io.postroad.jackson.BadJsonTest$Amount as JSON")
        .hasMessageContaining("lone surrogate");
  }

  @Test
  void aValueThatDoesNotFitIsNamedByItsPositionOnly() {
    assertRefused(() -> codec.decode("{\"amount\":{\"minor\":\"secret\"}}", Booking.class))
        .hasMessageContaining("a value does not fit a int at line 1, column ")
        .hasMessageContaining(" in amount.minor");
    assertRefused(() -> codec.decode("{\"at\":\"secret\"}", Booking.class))
        .hasMessageContaining("a value does not fit a java.time.Instant")
        .hasMessageContaining(" in at");
    assertRefused(() -> codec.decode("{\"counts\":{\"secret\":\"x\"}}", Booking.class))
        .hasMessageContaining(" in counts.[key]");
  }

  @ParameterizedTest
  @ValueSource(strings = {"1.9", "1e30", "99999999999", "null", "true"})
  void aNumberIsNeverRounded(String number) {
    assertRefused(() -> codec.decode("{\"minor\":" + number + "}", Amount.class));
  }

  @Test
  void exceptionOfARecordsOwnCheckIsTheCause() {
    assertRefused(
            () ->
                codec.decode("{\"amount\":{\"currency\":\"secret\",\"minor\":-1}}", Booking.class))
        .hasMessageContaining("the constructor threw java.lang.IllegalArgumentException")
        .hasMessageContaining(" in amount")
        .hasCause(new IllegalArgumentException("minor must not be negative"));
  }

  @Test
  void exceptionOfAGetterIsTheCause() {
    assertRefused(() -> codec.encode(new Lazy(false)))
        .hasMessageContaining("code of the class threw java.lang.IllegalStateException")
        .hasMessageContaining(" in name")
        .hasCause(new IllegalStateException("not loaded"));
  }

  @Test
  void classWithoutPropertiesIsNotWrittenAsAnEmptyObject() {
    assertRefused(() -> codec.encode(new Opaque()))
        .hasMessageContaining("Jackson cannot handle io.postroad.jackson.BadJsonTest$Opaque");
  }

  @Test
  void subtypeByDeclaredNameWorksAndAnyOtherIsRefused() {
    String json = codec.encode(new Circle(3));

    assertThat(codec.decode(json, Shape.class)).isEqualTo(new Circle(3));
    assertRefused(() -> codec.decode(json.replace("circle", "secret"), Shape.class))
        .hasMessageContaining("no known subtype is named");
  }

  @Test
  void aClassNameInTheTextIsNeverUsed() {
    String json = "{\"@class\":\"" + Bomb.class.getName() + "\",\"x\":1}";

    assertRefused(() -> codec.decode(json, Gadget.class));
    assertThat(codec.decode(json, Object.class))
        .isEqualTo(Map.of("@class", Bomb.class.getName(), "x", 1));
    assertThat(codec.decode("[\"" + Bomb.class.getName() + "\",{\"x\":1}]", Object.class))
        .isInstanceOf(List.class);
  }
}
