package io.postroad.mongodb.internal.client;

import com.mongodb.ClientSessionOptions;
import com.mongodb.MongoException;
import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoClient;
import java.time.Duration;
import java.util.Set;
import java.util.function.Function;

/**
 * Reads that all see one moment of what a majority has. A read without a snapshot may pause in the
 * middle and go on with what was committed meanwhile: it would see a message without the one that
 * was committed before it, at a place that it has passed.
 */
public final class Snapshots {
  private static final ClientSessionOptions OPTIONS =
      ClientSessionOptions.builder().causallyConsistent(false).snapshot(true).build();

  /** The moment is too old for a collection or index that was just made, or no longer kept. */
  private static final Set<Integer> UNAVAILABLE = Set.of(239, 246);

  private static final Duration PATIENCE = Duration.ofSeconds(5);

  private final MongoClient client;

  public Snapshots(MongoClient client) {
    this.client = client;
  }

  public <R> R read(String what, Function<ClientSession, R> reads) {
    return Database.call(
        what,
        () -> {
          Rerun rerun = new Rerun(PATIENCE);
          while (true) {
            try (ClientSession session = client.startSession(OPTIONS)) {
              return reads.apply(session);
            } catch (MongoException failed) {
              if (!UNAVAILABLE.contains(failed.getCode()) || !rerun.mayGoOn()) {
                throw failed;
              }
            }
          }
        });
  }
}
