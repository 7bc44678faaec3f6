package io.postroad.example.payments;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.postroad.process.ProcessStatus;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** The queries of the guide's section 10, out of troubleshooting.sql. */
class TroubleshootingTest {
  private final RunningApplication application = RunningApplication.shared();

  /** By the first words of the comment before each. */
  private static Map<String, String> queries() throws Exception {
    Map<String, String> found = new LinkedHashMap<>();
    for (String part : Files.readString(Path.of("troubleshooting.sql")).split("\n\n")) {
      if (part.contains("SELECT")) {
        String comment = part.substring("-- ".length(), part.indexOf('\n'));
        found.put(
            comment.replaceAll(" \\(.*", ""),
            part.substring(part.indexOf('\n') + 1).replace(";", ""));
      }
    }
    return found;
  }

  private static String query(String comment) throws Exception {
    return Objects.requireNonNull(queries().get(comment), comment);
  }

  @Test
  void theyTellWhatHappenedToAPayment() throws Exception {
    UUID accountId = application.limitedAccount(10);
    HttpResponse<String> accepted = application.pay(UUID.randomUUID(), accountId, 10, 10, "USD");
    assertThat(application.ended(accepted)).isEqualTo(ProcessStatus.SUCCEEDED);
    HttpResponse<String> refused = application.pay(UUID.randomUUID(), accountId, 10, 10, "USD");
    assertThat(application.ended(refused)).isEqualTo(ProcessStatus.FAILED);
    String failed = RunningApplication.json(refused).path("processId").textValue();
    assertThat(queries()).hasSize(11);

    assertThat(application.query(query("Find stuck processes"))).isEmpty();
    assertThat(application.query(query("Check outbox backlog")))
        .extracting(row -> row.get(0))
        .contains("command", "reply", "event");
    assertThat(application.query(query("Current process states")))
        .extracting(row -> row.get(0))
        .contains("SUCCEEDED", "FAILED");
    assertThat(application.query(query("Recent failures")))
        .extracting(row -> row.get(0))
        .contains(failed);
    assertThat(
            application.query(
                query("Full event history for a process").replace("uuid-here", failed)))
        .extracting(row -> row.get(0) + " " + row.get(1))
        .contains("StepFailed BookLimits");
    List<List<String>> pending = application.query(query("Messages pending dispatch"));
    assertThat(pending).allSatisfy(row -> assertThat(row).hasSize(4));
    assertThat(application.query(query("Failed messages"))).isEmpty();
    assertThat(application.query(query("Command processing states")))
        .extracting(row -> row.get(0) + " " + row.get(1))
        .contains("BookLimits COMPLETED", "BookLimits FAILED");
    assertThat(application.query(query("Check connection count"))).hasSize(1);
    assertThat(application.query(query("Index usage"))).isNotEmpty();
  }

  /** A view of the server that is only there where it was asked for at its start. */
  @Test
  void slowQueriesNeedAnExtensionThatIsNotThereByDefault() throws Exception {
    String slow = query("Check slow queries");
    assertThatThrownBy(() -> application.query(slow)).hasMessageContaining("pg_stat_statements");
  }
}
