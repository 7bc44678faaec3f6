package io.postroad.tck.contract.admin;

import static org.assertj.core.api.Assertions.assertThat;

import io.postroad.admin.OutboxDoctor;
import io.postroad.message.Message;
import io.postroad.spi.OrderedStore;
import io.postroad.spi.OutboxStore;
import io.postroad.store.Finding;
import io.postroad.store.Finding.Severity;
import io.postroad.tck.StoreContract;
import io.postroad.tck.StoreUnderTest;
import io.postroad.tck.contract.scene.DeadLetterScene;
import io.postroad.tck.contract.scene.Destinations;
import io.postroad.tck.contract.scene.Samples;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The doctor names problems and their causes, and nothing else. */
@StoreContract
public final class DoctorContract {

  @Test
  void nothingIsWrongWithAHealthyOutbox(StoreUnderTest tck) throws Exception {
    DeadLetterScene scene = new DeadLetterScene(tck);
    tck.append(Samples.ordered("k"));
    assertThat(scene.due()).hasSize(1);

    assertThat(examine(tck)).isEmpty();
  }

  @Test
  void messagesThatAreDueForLongAreAProblem(StoreUnderTest tck) throws Exception {
    new DeadLetterScene(tck);
    tck.append(Samples.ordered("k"));
    assertThat(codes(examine(tck))).doesNotContain("lag");

    tck.advance(Duration.ofMinutes(5));

    Finding lag = find("lag", examine(tck));
    assertThat(lag.severity()).isEqualTo(Severity.PROBLEM);
    assertThat(lag.what()).contains("PT5M");
  }

  @Test
  void deadLettersOfTheLastHourAreNamed(StoreUnderTest tck) throws Exception {
    DeadLetterScene scene = new DeadLetterScene(tck);
    Message dead = Samples.message();
    scene.kill(dead, "unknown topic");

    assertThat(find("dead-letters", examine(tck)).what())
        .contains(dead.id().toString(), "unknown topic", "1 message");

    tck.advance(Duration.ofHours(2));
    assertThat(codes(examine(tck))).doesNotContain("dead-letters");
  }

  @Test
  void parkedKeysAreAProblem(StoreUnderTest tck) throws Exception {
    DeadLetterScene scene = new DeadLetterScene(tck);
    scene.kill(Samples.ordered("k"), "unknown topic");

    List<Finding> findings = examine(tck);

    if (tck.store() instanceof OrderedStore<Object>) {
      assertThat(find("parked-keys", findings).what()).contains("1 key");
      assertThat(findings.get(0).severity()).as("problems first").isEqualTo(Severity.PROBLEM);
    } else {
      assertThat(codes(findings)).doesNotContain("parked-keys");
    }
  }

  @Test
  void destinationsThatArePausedOrDownAreNamed(StoreUnderTest tck) throws Exception {
    DeadLetterScene scene = new DeadLetterScene(tck);
    scene.setAside(Destinations.to("down", "k"));
    scene.setAside(Destinations.to("paused", "k"));
    tck.store().pauses().pause("paused", DeadLetterScene.DECISION);
    tck.advance(Duration.ofSeconds(50));

    List<Finding> findings = examine(tck);

    Finding down = find("destination-down", findings);
    assertThat(down.severity()).isEqualTo(Severity.PROBLEM);
    assertThat(down.what()).contains("'down'", "just come back", "1 message", "PT50S");
    Finding paused = find("destination-paused", findings);
    assertThat(paused.severity()).isEqualTo(Severity.WARNING);
    assertThat(paused.what())
        .contains("'paused'", "1 message", "by tck", DeadLetterScene.DECISION.reason());
    assertThat(findings).hasSize(2);
  }

  @Test
  void leasesThatNobodyTookAgainAreNamedWithTheirOwner(StoreUnderTest tck) throws Exception {
    DeadLetterScene scene = new DeadLetterScene(tck);
    tck.append(Samples.message());
    assertThat(scene.due()).hasSize(1);

    tck.advance(StoreUnderTest.LEASE.plusSeconds(1));

    boolean ordered = tck.store() instanceof OrderedStore<Object>;
    Finding finding = find(ordered ? "lane-without-owner" : "expired-leases", examine(tck));
    assertThat(finding.severity()).isEqualTo(Severity.PROBLEM);
    assertThat(finding.what()).contains(StoreUnderTest.OWNER);
  }

  @Test
  void aClockThatIsFarOffIsNamed(StoreUnderTest tck) throws Exception {
    new DeadLetterScene(tck);
    OutboxStore<Object> store = tck.store();

    List<Finding> findings =
        OutboxDoctor.of(
                store, OutboxDoctor.Limits.defaults(), () -> store.now().minusSeconds(3_600))
            .examine();

    assertThat(find("clock-skew", findings).what()).contains("PT1H behind");
  }

  private static List<Finding> examine(StoreUnderTest tck) throws Exception {
    OutboxStore<Object> store = tck.store();
    return OutboxDoctor.of(store, OutboxDoctor.Limits.defaults(), store::now).examine();
  }

  private static List<String> codes(List<Finding> findings) {
    return findings.stream().map(Finding::code).toList();
  }

  private static Finding find(String code, List<Finding> findings) {
    assertThat(codes(findings)).as("%s", findings).contains(code);
    Finding found =
        findings.stream().filter(finding -> finding.code().equals(code)).findFirst().orElseThrow();
    assertThat(found.todo()).isNotBlank();
    return found;
  }
}
