package io.postroad.outbox;

import static org.assertj.core.api.Assertions.assertThat;

import io.postroad.command.CommandSignal;
import io.postroad.inbox.InboxSignal;
import io.postroad.process.ProcessSignal;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Keeps {@code docs/reference/signals.md} and those of inbox and command bus complete. */
class SignalTableTest {
  private static final Path REFERENCE = Path.of("..", "docs", "reference");
  private static final Pattern ROW = Pattern.compile("(?m)^\\| `(\\w+)` \\|");

  @Test
  void theTableNamesEverySignalOfAnOutboxAndItsFields() throws IOException {
    check(Files.readString(REFERENCE.resolve("signals.md")), OutboxSignal.class);
  }

  @Test
  void theTableNamesEverySignalOfAnInboxAndItsFields() throws IOException {
    check(Files.readString(REFERENCE.resolve("inbox-signals.md")), InboxSignal.class);
  }

  @Test
  void theTableNamesEverySignalOfProcessesAndItsFields() throws IOException {
    check(Files.readString(REFERENCE.resolve("process-signals.md")), ProcessSignal.class);
  }

  @Test
  void theTableNamesEverySignalOfACommandBusAndItsFields() throws IOException {
    check(Files.readString(REFERENCE.resolve("command-signals.md")), CommandSignal.class);
  }

  private static void check(String table, Class<?> signals) {
    Class<?>[] all = signals.getPermittedSubclasses();
    List<String> rows =
        ROW.matcher(table).results().map((MatchResult row) -> row.group(1)).toList();

    assertThat(rows)
        .containsExactlyInAnyOrderElementsOf(Arrays.stream(all).map(Class::getSimpleName).toList());
    for (Class<?> signal : all) {
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
