package io.postroad.mongodb.internal.client;

import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoDatabase;
import io.postroad.message.PostroadException;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.concurrent.TimeUnit;
import org.bson.BsonArray;
import org.bson.BsonDocument;

/**
 * ABORT: ends the transaction of a session that another thread uses. That thread alone may use the
 * session, so the server kills it. Its later statements fail; and should the unit of work be run
 * again because of that, its first verb here is refused.
 *
 * <p>Safe to use from many threads.
 */
public final class AbortedSessions {
  private final MongoDatabase admin;
  private final Set<ClientSession> aborted =
      Collections.synchronizedSet(Collections.newSetFromMap(new WeakHashMap<>()));

  public AbortedSessions(Database database) {
    this.admin =
        database
            .client()
            .getDatabase("admin")
            .withTimeout(database.options().operationTimeout().toMillis(), TimeUnit.MILLISECONDS);
  }

  public void abort(ClientSession session) {
    aborted.add(session);
    identifier(session)
        .ifPresent(
            id -> admin.runCommand(new BsonDocument("killSessions", new BsonArray(List.of(id)))));
  }

  /** Nothing of a session that is closed is left on the server: closing it aborts. */
  private static Optional<BsonDocument> identifier(ClientSession session) {
    try {
      // The driver does not hand on a session that is marked so: no session of another user is
      // killed.
      session.getServerSession().markDirty();
      return Optional.of(session.getServerSession().getIdentifier());
    } catch (IllegalStateException closed) {
      return Optional.empty();
    }
  }

  public void refuse(ClientSession session, String verb) {
    if (aborted.contains(session)) {
      throw new PostroadException(
          "%s is refused: the transaction of this session was aborted, because its work took too long; nothing of it is committed"
              .formatted(verb));
    }
  }
}
