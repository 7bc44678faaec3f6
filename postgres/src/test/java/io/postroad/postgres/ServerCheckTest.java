package io.postroad.postgres;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.postroad.message.PostroadException;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;

/** Which servers a store opens on. */
class ServerCheckTest {

  @Test
  void anOldServerIsRefusedWithItsVersion() {
    assertThatThrownBy(() -> ServerCheck.check(server(150_004, "15.4", false)))
        .isInstanceOf(PostroadException.class)
        .hasMessage("PostgreSQL must be version 16 or newer, this server is 15.4; upgrade it");
  }

  @Test
  void aReplicaIsRefusedWithWhereToGo() {
    assertThatThrownBy(() -> ServerCheck.check(server(170_000, "17.0", true)))
        .isInstanceOf(PostroadException.class)
        .hasMessageContaining("read-only replica")
        .hasMessageContaining("targetServerType=primary");
  }

  @Test
  void aPrimaryOfTheOldestSupportedVersionIsAccepted() {
    assertThatCode(() -> ServerCheck.check(server(160_000, "16.0", false)))
        .doesNotThrowAnyException();
  }

  @Test
  void aServerThatIsNotThereIsSaidToBeUnreachable() {
    PGSimpleDataSource nobody = new PGSimpleDataSource();
    nobody.setUrl("jdbc:postgresql://127.0.0.1:1/none?connectTimeout=5");

    assertThatThrownBy(() -> PostgresCompetingStore.open(nobody, PostgresOptions.defaults()))
        .isInstanceOf(PostroadException.class)
        .hasMessageContaining("could not open the outbox")
        .hasMessageContaining("cannot be reached");
  }

  private static ServerCheck.Server server(int number, String version, boolean inRecovery) {
    return new ServerCheck.Server(number, version, inRecovery, "on", "on", "read committed");
  }
}
