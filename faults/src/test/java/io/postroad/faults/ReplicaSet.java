package io.postroad.faults;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.MongoCommandException;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.Filters;
import io.postroad.servers.MongoReplicaSet;
import io.postroad.servers.MongoServer;
import java.time.Duration;
import java.util.List;
import org.bson.Document;

/** Three MongoDB servers that tests share, and the ways in which their primary changes. */
final class ReplicaSet {
  private static final Duration PATIENCE = Duration.ofMinutes(4);

  private final MongoReplicaSet set = MongoServer.replicaSet(3);

  private ReplicaSet() {
    set.start();
  }

  /** With all its members, each of which can be elected, whatever the last test has left. */
  static ReplicaSet whole() {
    Shared.SET.makeWhole();
    return Shared.SET;
  }

  private void makeWhole() {
    for (MongoServer member : set.members()) {
      switch (member.state()) {
        case FROZEN -> member.unfreeze();
        case STOPPED -> member.start();
        default -> {}
      }
      forgetStepDown(member);
    }
  }

  private static void forgetStepDown(MongoServer member) {
    try (MongoClient client = MongoClients.create(member.connectionString())) {
      Document unused = client.getDatabase("admin").runCommand(new Document("replSetFreeze", 0));
    } catch (MongoCommandException isPrimary) {
      // Then it has not stepped down.
    }
  }

  MongoAddress freshDatabase() {
    return new MongoAddress(set.connectionString(), set.freshDatabase("faults"));
  }

  MongoServer primary() {
    return set.primary();
  }

  /** The old primary is not elected again for a while. */
  void stepDown() {
    set.stepDown();
  }

  /** The old primary goes on when another one has replaced it. */
  void hangPrimary() {
    MongoServer primary = set.primary();
    primary.freeze();
    awaitOtherThan(primary);
    primary.unfreeze();
  }

  /**
   * From now on nothing that the primary writes is followed by others. They are killed: frozen ones
   * would find it in their sockets later.
   */
  void isolate(MongoServer primary) {
    followersOf(primary).forEach(MongoServer::kill);
  }

  /** Kills an isolated primary; its writes are rolled back when it returns. */
  void killIsolated(MongoServer primary) {
    primary.kill();
    followersOf(primary).parallelStream().forEach(MongoServer::restart);
    awaitOtherThan(primary);
  }

  private List<MongoServer> followersOf(MongoServer primary) {
    return set.members().stream().filter(member -> member != primary).toList();
  }

  private void awaitOtherThan(MongoServer old) {
    assertThat(set.primary()).isNotSameAs(old);
  }

  /** Waits until a server has written so much that it alone has. */
  static void awaitUnfollowed(MongoServer primary, int writes) throws Exception {
    try (MongoClient client = MongoClients.create(primary.connectionString())) {
      Document status = client.getDatabase("admin").runCommand(new Document("replSetGetStatus", 1));
      Object followed =
          status
              .get("optimes", Document.class)
              .get("lastCommittedOpTime", Document.class)
              .get("ts");
      MongoCollection<Document> oplog = client.getDatabase("local").getCollection("oplog.rs");
      Eventually.await(
          PATIENCE,
          () -> oplog.countDocuments(Filters.gt("ts", followed)) >= writes,
          () -> "the primary has not written anything");
    }
  }

  private static final class Shared {
    static final ReplicaSet SET = new ReplicaSet();
  }
}
