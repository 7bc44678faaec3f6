package io.postroad.servers;

import com.mongodb.MongoCommandException;
import com.mongodb.MongoSocketException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.bson.Document;

/**
 * A MongoDB replica set of several servers of ours, for what only several do: elect a new primary.
 *
 * <p>Each of the {@link #members()} can be stopped, killed, frozen and restarted by itself; its
 * connection string leads to that member alone. A new primary is elected within seconds, as long as
 * most members run.
 *
 * <p>Thread-safe. {@link #close()} and the end of this JVM remove everything.
 */
public final class MongoReplicaSet implements AutoCloseable {
  private static final Duration ELECTS_WITHIN = Duration.ofSeconds(60);
  private static final Duration FOLLOWED_WITHIN = Duration.ofMinutes(2);

  /** The server's ExceededTimeLimit. */
  private static final int NOBODY_CAUGHT_UP = 262;

  /** Shorter than MongoDB's ten seconds, long enough for a busy machine. */
  private static final Document ELECTIONS =
      new Document("electionTimeoutMillis", 3000).append("heartbeatIntervalMillis", 500);

  private record Member(LocalMongo recipe, LocalServer control, MongoServer server) {
    static Member create(MongoBinaries binaries) {
      LocalMongo recipe =
          new LocalMongo(ServerOptions.defaults(), LocalMongo.Role.MEMBER, binaries);
      LocalServer control = new LocalServer(recipe, ServerOptions.defaults());
      return new Member(
          recipe, control, new MongoServer(control, () -> MongoAddress.direct(control.port())));
    }
  }

  private final List<Member> members = new ArrayList<>();

  MongoReplicaSet(int members, MongoBinaries binaries) {
    if (members < 2 || members > 7) {
      throw new IllegalArgumentException(
          "a replica set of several members must have 2 to 7, got %d; MongoServer.create() is one of one"
              .formatted(members));
    }
    for (int i = 0; i < members; i++) {
      this.members.add(Member.create(binaries));
    }
  }

  /** Starts every member, founds the set, and returns when it has a primary. */
  public synchronized void start() {
    members.forEach(member -> member.server().start());
    LocalMongo.initiate(ports(), ELECTIONS);
    members.forEach(member -> member.recipe().founded());
    Await.until(
        ELECTS_WITHIN,
        () -> members.stream().allMatch(MongoReplicaSet::hasJoined) && findPrimary().isPresent(),
        () ->
            "the members of the MongoDB replica set have not all joined it after " + ELECTS_WITHIN);
  }

  /** The members, in the order in which they were started. */
  public List<MongoServer> members() {
    return members.stream().map(Member::server).toList();
  }

  /** The member that takes writes; waits for the end of an election. */
  public MongoServer primary() {
    return awaitPrimary().server();
  }

  /**
   * Makes the primary step down and returns when another member is the primary. The old one stays a
   * member, but is not elected again for half a minute.
   *
   * <p>It steps down only for a member that has all its writes. A member that was killed may still
   * be rolling back writes that no other member has: then this waits, for two minutes at most.
   */
  public synchronized void stepDown() {
    Member old = awaitPrimary();
    Await.until(
        FOLLOWED_WITHIN,
        () -> hasSteppedDown(old),
        () ->
            "no other member of the MongoDB replica set has caught up with its primary within "
                + FOLLOWED_WITHIN);
    Await.until(
        ELECTS_WITHIN,
        () -> findPrimary().filter(now -> !now.equals(old)).isPresent(),
        () -> "no other member of the MongoDB replica set became primary within " + ELECTS_WITHIN);
  }

  private static boolean hasSteppedDown(Member primary) {
    int port = primary.control().port();
    try {
      MongoAddress.direct(port)
          .admin(new Document("replSetStepDown", 30).append("secondaryCatchUpPeriodSecs", 10));
      return true;
    } catch (MongoSocketException closed) {
      // A primary may close its connections when it steps down.
      return !LocalMongo.is(port, "isWritablePrimary");
    } catch (MongoCommandException refused) {
      if (refused.getErrorCode() == NOBODY_CAUGHT_UP) {
        return false;
      }
      throw refused;
    }
  }

  /** Returns the connection string of all members, of which the driver finds the primary. */
  public String connectionString() {
    return MongoAddress.replicaSet(ports()).connectionString();
  }

  /** Returns the name of an unused database; see {@link MongoServer#freshDatabase}. */
  public String freshDatabase(String name) {
    return MongoServer.freshName(name);
  }

  /** Kills every member whatever its state and removes its data; closing twice is legal. */
  @Override
  public void close() {
    members.forEach(member -> member.server().close());
  }

  private Member awaitPrimary() {
    Await.until(
        ELECTS_WITHIN,
        () -> findPrimary().isPresent(),
        () ->
            "the MongoDB replica set has no primary after %s; do most of its members run?"
                .formatted(ELECTS_WITHIN));
    return findPrimary().orElseThrow();
  }

  private Optional<Member> findPrimary() {
    return members.stream()
        .filter(member -> member.server().state() == ServerState.RUNNING)
        .filter(member -> LocalMongo.is(member.control().port(), "isWritablePrimary"))
        .findFirst();
  }

  private static boolean hasJoined(Member member) {
    int port = member.control().port();
    return LocalMongo.is(port, "isWritablePrimary") || LocalMongo.is(port, "secondary");
  }

  private List<Integer> ports() {
    return members.stream().map(member -> member.control().port()).toList();
  }
}
