package io.postroad.internal.process.graph;

import static org.assertj.core.api.Assertions.assertThat;

import io.postroad.internal.process.record.RecordMaps;
import io.postroad.jackson.JacksonJsonCodec;
import io.postroad.process.Node;
import io.postroad.process.ProcessGraph;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Stored records of a process are written and read with a real JSON library. */
class RecordMapsJsonTest {
  private static final RecordMaps RECORDS = new RecordMaps(JacksonJsonCodec.create());

  record Kept(
      UUID id,
      long seq,
      BigDecimal money,
      Instant at,
      Optional<String> failure,
      List<UUID> commands,
      Map<String, Object> data) {}

  @Test
  void numbersKeepTheirPrecisionAndTheirScale() {
    Map<String, Object> data = new LinkedHashMap<>();
    data.put("amount", new BigDecimal("12345678901234567890.1200"));
    data.put("count", Long.MAX_VALUE);
    data.put("none", null);
    Kept kept =
        new Kept(
            new UUID(1, 2),
            Long.MIN_VALUE,
            new BigDecimal("900.0000"),
            Instant.parse("2026-11-16T08:00:00.123456789Z"),
            Optional.empty(),
            List.of(new UUID(3, 4)),
            data);

    assertThat(RECORDS.read(RECORDS.write(kept, Kept.class), Kept.class)).isEqualTo(kept);
  }

  @Test
  void theLibraryReadsADefinition() {
    ProcessGraph code =
        new ProcessGraph(
            "Payment",
            "large",
            Optional.empty(),
            List.of(new Node.Choice("large", Optional.empty(), Optional.empty())),
            Map.of("large", data -> true),
            Map.of());

    GraphDefinition.Revived revived =
        GraphDefinition.revive(GraphDefinition.of(code).json(), JacksonJsonCodec.create(), code);

    assertThat(revived.missing()).isEmpty();
    assertThat(revived.graph().nodes()).containsExactlyElementsOf(code.nodes());
  }
}
