package io.postroad.mongodb;

import com.mongodb.client.ClientSession;
import io.postroad.store.OutboxStore;
import io.postroad.tck.Capability;
import io.postroad.tck.SchemaFixture;
import io.postroad.tck.StoreFixture;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Set;

/** The ordered store of MongoDB for the TCK. */
public final class MongoOrderedFixture implements StoreFixture<ClientSession> {
  private final OrderedDatabase database = OrderedDatabase.fresh("tck_ordered");

  @Override
  public String name() {
    return "mongodb-ordered";
  }

  /**
   * No RECOVERY: a crash or an election forgets nothing that an owner of a lane has read, because
   * only what a majority has is read, and position, log and counter are restored together.
   */
  @Override
  public Set<Capability> capabilities() {
    return EnumSet.of(Capability.SCHEMA, Capability.REMOTE_WAKE_UP);
  }

  @Override
  public OutboxStore<ClientSession> open() {
    return open(1);
  }

  @Override
  public OutboxStore<ClientSession> open(int lanes) {
    database.reset(lanes);
    return database.open();
  }

  @Override
  public OutboxStore<ClientSession> openAnother(OutboxStore<ClientSession> first) {
    return database.open();
  }

  @Override
  public void advance(Duration by) {
    database.advance(by);
  }

  @Override
  public ClientSession begin(OutboxStore<ClientSession> store) {
    return database.begin();
  }

  @Override
  public void commit(ClientSession transaction) {
    try (transaction) {
      transaction.commitTransaction();
    }
  }

  @Override
  public void rollback(ClientSession transaction) {
    try (transaction) {
      if (transaction.hasActiveTransaction()) {
        transaction.abortTransaction();
      }
    }
  }

  @Override
  public ClientSession notATransaction(OutboxStore<ClientSession> store) {
    return database.client().startSession();
  }

  @Override
  public void release(ClientSession notATransaction) {
    notATransaction.close();
  }

  @Override
  public SchemaFixture freshSchema() {
    return new MongoSchemaFixture(TestDatabase.empty("tck_ordered_schema"));
  }

  @Override
  public void close() {
    database.close();
  }
}
