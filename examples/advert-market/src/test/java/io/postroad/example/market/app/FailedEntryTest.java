package io.postroad.example.market.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.postroad.admin.OutboxAdmin;
import io.postroad.example.market.KafkaRecords;
import io.postroad.outbox.OutboxSignal;
import io.postroad.store.Decision;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** An entry that cannot be published until a person has it published again, and the meters. */
class FailedEntryTest {
  private final RunningApplication application = RunningApplication.shared();

  @Test
  void anEntryFailsAfterThreeAttemptsIsCountedAndPublishedAgainByHand() throws Exception {
    application.bean(TestSender.class).refusing(true);
    assertThat(application.create(TestSender.REFUSED_DEAL).statusCode()).isEqualTo(201);
    UUID id =
        UUID.fromString(
            String.valueOf(
                application
                    .jdbc()
                    .queryForObject(
                        "SELECT postroad_id FROM outbox WHERE deal_id = ?",
                        String.class,
                        TestSender.REFUSED_DEAL)));
    OutboxSignal.Died died =
        application.await(OutboxSignal.Died.class, each -> each.message().id().equals(id));

    assertThat(died.attempt()).isEqualTo(3);
    assertThat(application.get("/deals/" + TestSender.REFUSED_DEAL + "/outbox").body())
        .contains("\"status\":\"FAILED\"", "\"retryCount\":3")
        .doesNotContain("price");
    assertThat(application.get("/outbox/counts").body()).contains("\"FAILED\":1");
    meter("outbox_records_failed_total", 1);

    application.bean(TestSender.class).refusing(false);
    application.bean(OutboxAdmin.class).replay(id, new Decision("ada", "it is taken now"));
    application.await(OutboxSignal.Delivered.class, each -> each.message().id().equals(id));
    assertThat(
            KafkaRecords.await("deal.events", "\"dealId\":\"" + TestSender.REFUSED_DEAL + "\"", 1))
        .hasSize(1);
    assertThat(application.get("/outbox/counts").body()).contains("\"FAILED\":0");
    meter("outbox_published_total", 1);
    meter("outbox_poll_count_total", 1);
    meter("outbox_poll_duration_seconds_count", 1);
  }

  /** Summed over its tags. */
  private void meter(String name, double atLeast) throws Exception {
    double sum =
        application
            .get("/actuator/prometheus")
            .body()
            .lines()
            .filter(line -> line.startsWith(name + "{"))
            .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' '))))
            .sum();
    assertThat(sum).as(name).isGreaterThanOrEqualTo(atLeast);
  }

  @Test
  void pollIsAccepted() throws Exception {
    assertThat(application.post("/outbox/poll", "").statusCode()).isEqualTo(202);
  }
}
