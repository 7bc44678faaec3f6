package io.postroad.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.postroad.servers.KafkaServer;
import io.postroad.servers.PostgresServer;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

/**
 * The active relay is frozen (SIGSTOP) under load for three leases and goes on: it must find out
 * that its lane is another's before it changes anything, and what it still had in hand arrives as
 * repeats.
 */
class FrozenOwnerTest {
  private static final int FREEZES = 1;

  /** Writes down who changes what. Heartbeats are left out: a node may say that it is alive. */
  private static final String WATCH =
      """
      CREATE TABLE change (
        id bigserial PRIMARY KEY, application text, changed text, how text, what text);
      CREATE FUNCTION note_change() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
          INSERT INTO change (application, changed, how, what)
          VALUES (current_setting('application_name'), TG_TABLE_NAME, TG_OP,
            COALESCE(NEW, OLD)::text);
          RETURN NULL;
        END $$;
      DO $$
        DECLARE t text;
        BEGIN
          FOR t IN
            SELECT relname FROM pg_class
            WHERE relname LIKE 'outbox\\_%' AND relkind = 'r' AND relname <> 'outbox_node'
          LOOP
            EXECUTE format('CREATE TRIGGER note_change AFTER INSERT OR UPDATE OR DELETE ON %I
              FOR EACH ROW WHEN (current_setting(''application_name'') LIKE ''relay-%%'')
              EXECUTE FUNCTION note_change()', t);
          END LOOP;
        END $$;
      """;

  @Test
  void anOwnerFrozenForThreeLeasesChangesNothingWhenItGoesOn() throws Exception {
    Seed seed = Seed.printed("frozen owner");
    try (Scene scene = Scene.ordered(PostgresServer.shared(), KafkaServer.shared())) {
      scene.sql().execute(WATCH);
      try (Writers writers = Writers.start(scene, seed);
          Nodes nodes = Nodes.start(scene, 2)) {
        for (int freeze = 1; freeze <= FREEZES; freeze++) {
          scene.awaitMoreDelivered(300, seed);
          freezeOwner(nodes, scene, seed);
        }
        writers.close();
        scene.awaitRest(seed::toString);

        Findings findings = scene.findings(writers.acknowledged());
        System.out.printf("frozen owner: %s; freezes=%d; %s%n", findings, FREEZES, seed);
        assertThat(findings.ok()).as("%s; %s", findings, seed).isTrue();
        assertThat(findings.duplicates())
            .as("what each side of a freeze had in flight; %s", seed)
            .isLessThanOrEqualTo(2 * FREEZES * LaneArgs.MAX_IN_FLIGHT);
      }
    }
  }

  private static void freezeOwner(Nodes nodes, Scene scene, Seed seed) throws Exception {
    LaneChild owner = nodes.active();
    long epoch = nodes.epoch();
    long began = System.nanoTime();
    owner.freeze();
    Duration takeOver = nodes.takeOver(epoch, began);
    assertThat(changesBy(owner, 0, scene)).as("what it changed as the owner").isNotEmpty();
    long seen = scene.sql().number("SELECT max(id) FROM change");
    List<Map<String, String>> positions = positionsOf(epoch, scene);
    scene.awaitMoreDelivered(300, seed);
    Duration left = nodes.lease().multipliedBy(3).minusNanos(System.nanoTime() - began);
    LockSupport.parkNanos(left.toNanos());
    owner.unfreeze();
    String lost = owner.awaitLaneLost();
    scene.awaitMoreDelivered(300, seed);

    System.out.printf("frozen owner: taken over after %s; it said %s%n", takeOver, lost);
    assertThat(changesBy(owner, seen, scene)).as("changed by the late owner; %s", seed).isEmpty();
    assertThat(positionsOf(epoch, scene))
        .as("positions of its epoch; %s", seed)
        .isEqualTo(positions);
  }

  private static List<Map<String, String>> changesBy(LaneChild relay, long after, Scene scene)
      throws SQLException {
    return scene
        .sql()
        .rows(
            "SELECT * FROM change WHERE application = '%s' AND id > %d ORDER BY id"
                .formatted(relay.name(), after));
  }

  private static List<Map<String, String>> positionsOf(long epoch, Scene scene)
      throws SQLException {
    return scene
        .sql()
        .rows("SELECT * FROM outbox_cursor WHERE epoch = %d ORDER BY step".formatted(epoch));
  }
}
