package io.postroad.internal.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.postroad.command.AutoCommandHandlerRegistry;
import io.postroad.command.CommandReply;
import io.postroad.command.DomainCommand;
import io.postroad.command.Registries;
import io.postroad.jackson.JacksonJsonCodec;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.NullNode;

/** Tests the table of {@link CommandReply.Completed}. */
class ReplyDataTest {
  private final ReplyData data = new ReplyData(JacksonJsonCodec.create());

  record Line(String sku, int count) {}

  record Order(
      UUID id, long number, BigDecimal amount, LocalDate due, Instant at, List<Line> lines) {}

  enum State {
    OPEN
  }

  record Nothing() {}

  static class VoidService {
    public void stop(StopCommand command) {}

    public Void pause(PauseCommand command) {
      return nothing();
    }

    @SuppressWarnings("NullAway") // a Void is always null
    private static Void nothing() {
      return null;
    }
  }

  record StopCommand() implements DomainCommand {}

  record PauseCommand() implements DomainCommand {}

  @Test
  void noResultIsAnEmptyMap() throws Exception {
    AutoCommandHandlerRegistry<String> registry = Registries.of(new VoidService());

    assertThat(Registries.handle(registry, "Stop", "{}")).isEmpty();
    assertThat(Registries.handle(registry, "Pause", "{}")).isEmpty();
    assertThat(data.of(null)).isEmpty();
    assertThat(data.of(Optional.empty())).isEmpty();
    assertThat(data.of(OptionalInt.empty())).isEmpty();
    assertThat(data.of(NullNode.getInstance())).isEmpty();
    assertThat(data.of(new Nothing())).isEmpty();
    assertThat(data.of(Map.of())).isEmpty();
  }

  @Test
  void anObjectBecomesItsFieldsWithExactNumbersAndIsoDates() {
    UUID id = new UUID(1, 2);
    Order order =
        new Order(
            id,
            (1L << 53) + 1,
            new BigDecimal("0.10000000000000000000000000001"),
            LocalDate.parse("2026-02-28"),
            Instant.parse("2026-02-03T04:05:06.123456789Z"),
            List.of(new Line("a", 1)));

    assertThat(data.of(order))
        .containsExactly(
            Map.entry("id", id.toString()),
            Map.entry("number", 9007199254740993L),
            Map.entry("amount", new BigDecimal("0.10000000000000000000000000001")),
            Map.entry("due", "2026-02-28"),
            Map.entry("at", "2026-02-03T04:05:06.123456789Z"),
            Map.entry("lines", List.of(Map.of("sku", "a", "count", 1))));
    assertThat(data.of(Optional.of(new Line("b", 2)))).isEqualTo(Map.of("sku", "b", "count", 2));
  }

  @Test
  @SuppressWarnings("NullAway") // JSON has null
  void aMapKeepsItsOrderAndItsNulls() {
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("z", null);
    map.put("a", 1);

    assertThat(data.of(map).keySet()).containsExactly("z", "a");
    assertThat(data.of(map)).containsEntry("z", null);
  }

  @Test
  void anyOtherResultIsOneFieldNamedValue() {
    assertThat(data.of("text")).isEqualTo(Map.of("value", "text"));
    assertThat(data.of("null")).isEqualTo(Map.of("value", "null"));
    assertThat(data.of(7)).isEqualTo(Map.of("value", 7));
    assertThat(data.of(new BigDecimal("1.10"))).isEqualTo(Map.of("value", new BigDecimal("1.10")));
    assertThat(data.of(false)).isEqualTo(Map.of("value", false));
    assertThat(data.of(State.OPEN)).isEqualTo(Map.of("value", "OPEN"));
    assertThat(data.of(new UUID(0, 9)))
        .isEqualTo(Map.of("value", "00000000-0000-0000-0000-000000000009"));
    assertThat(data.of(LocalDate.parse("2026-02-03"))).isEqualTo(Map.of("value", "2026-02-03"));
    assertThat(data.of(List.of())).isEqualTo(Map.of("value", List.of()));
    assertThat(data.of(Arrays.asList(1, "b"))).isEqualTo(Map.of("value", List.of(1, "b")));
    assertThat(data.of(new int[] {1, 2})).isEqualTo(Map.of("value", List.of(1, 2)));
  }
}
