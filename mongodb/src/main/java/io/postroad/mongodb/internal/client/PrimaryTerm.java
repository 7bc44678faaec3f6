package io.postroad.mongodb.internal.client;

import com.mongodb.ServerAddress;
import com.mongodb.client.MongoClient;
import com.mongodb.connection.ServerDescription;
import com.mongodb.connection.ServerType;
import java.time.Duration;
import java.util.Optional;
import org.bson.Document;
import org.bson.types.ObjectId;
import org.jspecify.annotations.Nullable;

/**
 * One server's time as the primary, from one election to the next, as the driver knows it.
 *
 * <p>A sequence number is drawn outside the caller's transaction and not waited for until a
 * majority has it. It counts only if the message was inserted in the same term: then the draw is
 * before the commit in that primary's log, and a majority that has the commit has the draw too. The
 * election ids that a driver believes only rise, so the same term before the draw and after the
 * insert means that both went to that one server.
 */
public final class PrimaryTerm {
  /**
   * For a server to lose an election and win another one while the driver does not notice takes
   * longer than this; a process that was stopped for longer asks the server.
   */
  private static final long TRUSTED_NANOS = Duration.ofSeconds(1).toNanos();

  /**
   * SequenceNumbers are closed for a day when they are not used, so they must not be used that
   * late.
   */
  private static final long LONGEST_NANOS = Duration.ofMinutes(10).toNanos();

  private final MongoClient client;
  private final @Nullable ServerAddress address;
  private final @Nullable ObjectId election;
  private final long since = System.nanoTime();

  private PrimaryTerm(
      MongoClient client, @Nullable ServerAddress address, @Nullable ObjectId election) {
    this.client = client;
    this.address = address;
    this.election = election;
  }

  /** The term of now; waits for a primary if none is known. */
  public static PrimaryTerm current(MongoClient client) {
    Optional<ServerDescription> primary = primary(client);
    if (primary.isEmpty()) {
      hello(client);
      primary = primary(client);
    }
    return primary
        .map(server -> new PrimaryTerm(client, server.getAddress(), server.getElectionId()))
        .orElseGet(() -> new PrimaryTerm(client, null, null));
  }

  /** Whether terms can be told apart; not through a router or a load balancer. */
  public boolean isKnown() {
    return election != null;
  }

  /**
   * Whether everything since {@link #current} ran on one primary. Always so where terms are not
   * known: there a draw waits for a majority.
   */
  public boolean stillHolds() {
    long passed = System.nanoTime() - since;
    if (passed > LONGEST_NANOS) {
      return false;
    }
    if (election == null) {
      return true;
    }
    if (passed > TRUSTED_NANOS) {
      return election.equals(hello(client).get("electionId"));
    }
    return primary(client)
        .filter(server -> server.getAddress().equals(address))
        .filter(server -> election.equals(server.getElectionId()))
        .isPresent();
  }

  private static Optional<ServerDescription> primary(MongoClient client) {
    return client.getClusterDescription().getServerDescriptions().stream()
        .filter(server -> server.getType() == ServerType.REPLICA_SET_PRIMARY)
        .findFirst();
  }

  private static Document hello(MongoClient client) {
    return client.getDatabase("admin").runCommand(new Document("hello", 1));
  }
}
