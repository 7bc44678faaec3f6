package io.postroad.outbox;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Keeps {@code docs/reference/signals.md} complete. */
class SignalTableTest {
  private static final Path TABLE = Path.of("..", "docs", "reference", "signals.md");
  private static final Pattern ROW = Pattern.compile("(?m)^\\| `(\\w+)` \\|");

  @Test
  void theTableNamesEverySignalAndItsFields() throws IOException {
    String table = Files.readString(TABLE);
    List<String> rows =
        ROW.matcher(table).results().map((MatchResult row) -> row.group(1)).toList();

    assertThat(rows)
        .containsExactlyInAnyOrderElementsOf(
            Arrays.stream(OutboxSignal.class.getPermittedSubclasses())
                .map(Class::getSimpleName)
                .toList());
    for (Class<?> signal : OutboxSignal.class.getPermittedSubclasses()) {
      String row =
          table
              .lines()
              .filter(line -> line.startsWith("| `" + signal.getSimpleName() + "` |"))
              .findFirst()
              .orElseThrow();
      assertThat(
              Arrays.stream(signal.getRecordComponents()).map(part -> "`" + part.getName() + "`"))
          .allSatisfy(field -> assertThat(row).contains(field));
    }
  }
}
