package io.postroad.mongodb;

import com.mongodb.client.ClientSession;
import io.postroad.mongodb.internal.client.MongoSchemaFixture;
import io.postroad.mongodb.internal.client.TestDatabase;
import io.postroad.spi.CommandStore;
import io.postroad.spi.InboxStore;
import io.postroad.spi.OutboxStore;
import io.postroad.spi.process.ProcessStore;
import io.postroad.tck.Capability;
import io.postroad.tck.SchemaFixture;
import io.postroad.tck.StoreFixture;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;

/** The ordered store of MongoDB for the TCK. */
public final class MongoOrderedFixture implements StoreFixture<ClientSession> {
  private final OrderedDatabase database = OrderedDatabase.fresh("tck_ordered");

  @Override
  public String name() {
    return "mongodb-ordered";
  }

  @Override
  public Set<Capability> capabilities() {
    return EnumSet.of(
        Capability.SCHEMA,
        Capability.REMOTE_WAKE_UP,
        Capability.LONG_TEXTS,
        Capability.EXPIRING_KEYS,
        Capability.INBOX,
        Capability.COMMANDS,
        Capability.PROCESSES);
  }

  @Override
  public Map<Capability, String> lacks() {
    return Map.of(
        Capability.HELD_ROWS,
        "of competing stores only",
        Capability.STREAMS,
        "of competing stores only",
        Capability.UNIQUE_IDS,
        "the log has no unique index on the id, which would end a transaction that meets it",
        Capability.RECOVERY,
        "only what a majority has is read, so a crash or an election forgets nothing of it");
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
  public InboxStore<ClientSession> openInbox(OutboxStore<ClientSession> store) {
    return database.openInbox();
  }

  @Override
  public CommandStore<ClientSession> openCommands(OutboxStore<ClientSession> store) {
    return database.openCommands();
  }

  @Override
  public ProcessStore<ClientSession> openProcesses(OutboxStore<ClientSession> store) {
    return database.openProcesses();
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
  public void rollBackInside(ClientSession transaction, boolean isGoingOn) {
    transaction.abortTransaction();
    if (isGoingOn) {
      transaction.startTransaction();
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
