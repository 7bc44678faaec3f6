package io.postroad.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.postroad.command.CommandSignal;
import io.postroad.inbox.InboxSignal;
import io.postroad.outbox.OutboxSignal;
import io.postroad.process.ProcessSignal;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Keeps {@code docs/reference/meters.md} the same as the code, and the code complete. */
class MeterTableTest {
  private static final Path TABLE = Path.of("..", "docs", "reference", "meters.md");
  private static final Path MADE = Path.of("target", "meters-table.md");
  private static final String HEAD =
      "| meter | in Prometheus | kind | tags | what it says | asked for by |";

  /** When it fails, {@code target/meters-table.md} has the table as it should be. */
  @Test
  void theTableSaysTheSameAsTheCode() throws IOException {
    List<String> rows = Arrays.stream(PostroadMeter.values()).map(MeterTableTest::row).toList();
    Files.write(MADE, rows);

    assertThat(Files.readAllLines(TABLE))
        .filteredOn(line -> line.startsWith("| `"))
        .containsExactlyElementsOf(rows);
    assertThat(Files.readAllLines(TABLE)).contains(HEAD);
  }

  private static String row(PostroadMeter meter) {
    String parts = meter.kind() == PostroadMeter.Kind.TIMER ? "`_count`, `_sum`, `_max`" : "";
    return "| `%s` | `%s`%s | %s | %s | %s | %s |"
        .formatted(
            meter.meterName(),
            meter.prometheusName(),
            parts.isEmpty() ? "" : " with " + parts,
            meter.kind().name().toLowerCase(Locale.ROOT),
            meter.tags().isEmpty()
                ? "-"
                : meter.tags().stream()
                    .map(tag -> "`" + tag + "`")
                    .collect(Collectors.joining(", ")),
            meter.meaning(),
            meter.source().document());
  }

  @Test
  void noMeterHasATagWithoutBound() {
    Set<String> bounded =
        Set.of(
            "outbox",
            "destination",
            "type",
            "outcome",
            "verb",
            "reason",
            "part",
            "handler",
            "code",
            "status",
            "event",
            "step");
    for (PostroadMeter meter : PostroadMeter.values()) {
      assertThat(bounded).as(meter.meterName()).containsAll(meter.tags());
    }
  }

  @Test
  void everySignalIsListenedToOrLeftOutOnPurpose() {
    SimpleMeterRegistry registry = new SimpleMeterRegistry();
    assertThat(OutboxMeters.of(registry, "o").kinds())
        .containsExactlyInAnyOrder(OutboxSignal.class.getPermittedSubclasses());
    assertThat(InboxMeters.of(registry).kinds())
        .containsExactlyInAnyOrder(InboxSignal.class.getPermittedSubclasses());
    assertThat(CommandMeters.of(registry).kinds())
        .containsExactlyInAnyOrder(CommandSignal.class.getPermittedSubclasses());
    assertThat(ProcessMeters.of(registry).kinds())
        .containsExactlyInAnyOrder(ProcessSignal.class.getPermittedSubclasses());
  }
}
