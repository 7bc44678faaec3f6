package io.postroad.internal.process.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.postroad.message.PostroadException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class RecordMapsTest {
  private static final UUID ID = UUID.fromString("0192f0c1-2b3c-7d4e-8f90-112233445566");

  enum Colour {
    RED,
    GREEN {
      @Override
      public String toString() {
        return "grass";
      }
    }
  }

  record Inner(String name, Optional<Inner> deeper) {}

  sealed interface Figure {
    record Circle(int radius) implements Figure {}

    record Square(int side, Optional<Figure> inside) implements Figure {}
  }

  record Everything(
      String text,
      boolean yes,
      int whole,
      long big,
      double fraction,
      BigDecimal money,
      BigInteger huge,
      UUID id,
      Instant at,
      Duration span,
      Colour colour,
      Optional<Duration> maybe,
      @Nullable String remark,
      List<UUID> ids,
      Set<Colour> colours,
      Map<String, Object> data,
      Map<String, Map<String, Object>> nested,
      Map<String, List<Integer>> numbers,
      Map<UUID, Colour> byId,
      Inner inner,
      List<Figure> figures,
      Object anything) {}

  private static Everything everything() {
    Map<String, Object> data = new HashMap<>();
    data.put("amount", new BigDecimal("12.3400"));
    data.put("none", null);
    return new Everything(
        "text",
        true,
        Integer.MIN_VALUE,
        Long.MAX_VALUE,
        0.1,
        new BigDecimal("12345678901234567890.1234567890"),
        new BigInteger("123456789012345678901234567890"),
        ID,
        Instant.parse("2026-11-16T08:00:00.123456789Z"),
        Duration.ofMillis(1500),
        Colour.GREEN,
        Optional.of(Duration.ofDays(3)),
        "remark",
        List.of(ID),
        Set.of(Colour.RED),
        data,
        Map.of("fork-1/0", Map.of("a", 1)),
        Map.of("fork-1", List.of(2, 0)),
        Map.of(ID, Colour.RED),
        new Inner("outer", Optional.of(new Inner("inner", Optional.empty()))),
        List.of(new Figure.Circle(1), new Figure.Square(2, Optional.of(new Figure.Circle(3)))),
        List.of("x", 1));
  }

  @Test
  void allTypesComeBackAsTheyWere() {
    Map<String, Object> map = RecordMaps.toMap(everything(), Everything.class);

    assertThat(RecordMaps.fromMap(map, Everything.class)).isEqualTo(everything());
  }

  @Test
  void aMapHasNothingThatJsonHasNot() {
    Map<String, Object> map = RecordMaps.toMap(everything(), Everything.class);

    assertThat(map)
        .containsEntry("big", Long.MAX_VALUE)
        .containsEntry("money", "12345678901234567890.1234567890")
        .containsEntry("id", ID.toString())
        .containsEntry("at", "2026-11-16T08:00:00.123456789Z")
        .containsEntry("span", "PT1.5S")
        .containsEntry("colour", "GREEN")
        .containsEntry("maybe", "PT72H")
        .containsEntry("byId", Map.of(ID.toString(), "RED"))
        .containsEntry("inner", Map.of("name", "outer", "deeper", Map.of("name", "inner")))
        .containsEntry(
            "figures",
            List.of(
                Map.of("kind", "Circle", "radius", 1),
                Map.of(
                    "kind", "Square", "side", 2, "inside", Map.of("kind", "Circle", "radius", 3))));
  }

  @Test
  void componentsAreWrittenInOrder() {
    assertThat(RecordMaps.toMap(everything(), Everything.class).keySet())
        .startsWith("text", "yes", "whole", "big")
        .endsWith("figures", "anything");
  }

  record Loose(Optional<String> note, @Nullable String remark) {}

  @Test
  void whatIsNotThereHasNoKeyAndNullIsReadLikeIt() {
    Loose loose = new Loose(Optional.empty(), null);
    Map<String, Object> nulls = new HashMap<>();
    nulls.put("note", null);
    nulls.put("remark", null);

    assertThat(RecordMaps.toMap(loose, Loose.class)).isEmpty();
    assertThat(RecordMaps.fromMap(Map.of(), Loose.class)).isEqualTo(loose);
    assertThat(RecordMaps.fromMap(nulls, Loose.class)).isEqualTo(loose);
  }

  @Test
  void dataKeepsNullsAndOrder() {
    Map<String, Object> data = new LinkedHashMap<>();
    data.put("z", null);
    data.put("a", 1);
    record Kept(Map<String, Object> data) {}

    Kept kept = RecordMaps.fromMap(Map.of("data", data), Kept.class);

    assertThat(kept.data()).isEqualTo(data);
    assertThat(kept.data().keySet()).containsExactly("z", "a");
  }

  @Test
  void aSealedTypeIsWrittenWithItsKindAtTheTopToo() {
    Figure figure = new Figure.Square(2, Optional.empty());

    Map<String, Object> map = RecordMaps.toMap(figure, Figure.class);

    assertThat(map).isEqualTo(Map.of("kind", "Square", "side", 2));
    assertThat(RecordMaps.fromMap(map, Figure.class)).isEqualTo(figure);
  }

  record Numbers(int whole, long big, double fraction) {}

  private static Numbers numbers(Object whole, Object big, Object fraction) {
    return RecordMaps.fromMap(
        Map.of("whole", whole, "big", big, "fraction", fraction), Numbers.class);
  }

  @Test
  void numbersAreReadWhicheverClassTheLibraryTook() {
    assertThat(numbers(1L, 2, 3)).isEqualTo(new Numbers(1, 2, 3));
    assertThat(numbers(new BigDecimal("1.0"), BigInteger.TWO, new BigDecimal("0.5")))
        .isEqualTo(new Numbers(1, 2, 0.5));
    assertThat(numbers(1, Long.MIN_VALUE, 1)).isEqualTo(new Numbers(1, Long.MIN_VALUE, 1));
  }

  @Test
  void numbersThatDoNotFitAreRefusedAndNotCut() {
    assertRefused(
        () -> numbers(1L << 31, 1, 1),
        "Numbers.whole must be an int, got a number that does not fit");
    assertRefused(
        () -> numbers(1, new BigDecimal("1.5"), 1),
        "Numbers.big must be a long, got a number that does not fit");
    assertRefused(
        () -> numbers(1, new BigInteger("9223372036854775808"), 1),
        "Numbers.big must be a long, got a number that does not fit");
    assertRefused(() -> numbers("1", 1, 1), "Numbers.whole must be an int, got String");
  }

  @Test
  void keysMustBeKnownAndPresent() {
    assertRefused(
        () -> RecordMaps.fromMap(Map.of("name", "x", "depper", Map.of()), Inner.class),
        "Inner has an unknown key 'depper'; known: [name, deeper]");
    assertRefused(() -> RecordMaps.fromMap(Map.of(), Inner.class), "Inner.name is missing");
    assertRefused(
        () -> RecordMaps.fromMap(Map.of("name", "x", "deeper", Map.of()), Inner.class),
        "Inner.deeper.name is missing");
  }

  record Texts(
      Optional<UUID> id,
      Optional<Instant> at,
      Optional<Colour> colour,
      Optional<List<Duration>> spans,
      Optional<Map<String, BigDecimal>> amounts,
      Optional<Set<String>> names,
      Optional<Figure> figure,
      Optional<Boolean> yes) {}

  private static void assertTextsRefused(String key, Object value, String text) {
    assertRefused(() -> RecordMaps.fromMap(Map.of(key, value), Texts.class), text);
  }

  @Test
  void whatDoesNotFitIsRefusedWithItsPathAndWithoutItsContent() {
    assertTextsRefused("id", "secret", "Texts.id must be a UUID, got other text");
    assertTextsRefused("id", 1, "Texts.id must be a UUID as text, got Integer");
    assertTextsRefused(
        "at", "secret", "Texts.at must be an instant like 2026-11-16T08:00:00Z, got other text");
    assertTextsRefused(
        "colour", "BLUE", "Texts.colour must be one of [RED, GREEN], got other text");
    assertTextsRefused(
        "spans",
        List.of("PT1S", "secret"),
        "Texts.spans[1] must be a duration like PT30S, got other text");
    assertTextsRefused(
        "spans",
        Arrays.asList("PT1S", null),
        "Texts.spans[1] must be a duration like PT30S as text, got nothing");
    assertTextsRefused(
        "amounts", Map.of("net", 0.1), "Texts.amounts.net must be a decimal as text, got Double");
    assertTextsRefused(
        "names", List.of("a", "a"), "Texts.names must be a set, got something twice");
    assertTextsRefused("spans", "PT1S", "Texts.spans must be a list, got String");
    assertTextsRefused("amounts", new ArrayList<>(), "Texts.amounts must be a map, got ArrayList");
    assertTextsRefused(
        "figure", Map.of("radius", 1), "Texts.figure.kind must be one of [Circle, Square]");
    assertTextsRefused(
        "figure",
        Map.of("kind", "Circle", "side", 1),
        "Texts.figure has an unknown key 'side'; known: [radius]");
    assertTextsRefused("yes", "true", "Texts.yes must be true or false, got String");
  }

  record Picky(int positive) {
    Picky {
      if (positive < 1) {
        throw new IllegalArgumentException("must be positive");
      }
    }
  }

  @Test
  void aConstructorThatRefusesIsTheCause() {
    assertThatThrownBy(() -> RecordMaps.fromMap(Map.of("positive", 0), Picky.class))
        .isInstanceOf(PostroadException.class)
        .hasMessage("Picky is refused by its constructor")
        .hasRootCauseMessage("must be positive");
  }

  record Odd(StringBuilder text) {}

  record OddKeys(Map<Integer, String> byNumber) {}

  @Test
  void typesThatCannotBeWrittenAreRefused() {
    assertThatThrownBy(() -> RecordMaps.fromMap(Map.of(), Odd.class))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith(
            "component 'text' of io.postroad.internal.process.record.RecordMapsTest$Odd: ")
        .hasMessageContaining("java.lang.StringBuilder cannot be written as data");
    assertRefused(
        () -> RecordMaps.toMap(new OddKeys(Map.of(1, "one")), OddKeys.class),
        "OddKeys.byNumber must have keys that are written as text");
  }

  @Test
  void notANumberIsRefusedWhenItIsWritten() {
    assertRefused(
        () -> RecordMaps.toMap(new Numbers(1, 1, Double.NaN), Numbers.class),
        "Numbers.fraction must be a double, got Double");
  }

  private static void assertRefused(Runnable call, String text) {
    assertThatThrownBy(call::run).isInstanceOf(PostroadException.class).hasMessage(text);
  }
}
