package io.postroad.mongodb.internal.client;

import com.mongodb.TransactionOptions;
import com.mongodb.WriteConcern;
import com.mongodb.client.ClientSession;
import com.mongodb.client.model.Updates;
import io.postroad.mongodb.internal.append.MessageDocument;
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
import java.util.UUID;
import org.bson.BsonDocument;

/** MongoDB for the TCK: one database, emptied for each test, with a clock that can be moved. */
public class MongoFixture implements StoreFixture<ClientSession> {
  public final TestDatabase database = TestDatabase.withStreams("tck");

  @Override
  public String name() {
    return "mongodb";
  }

  @Override
  public Set<Capability> capabilities() {
    return EnumSet.complementOf(EnumSet.of(Capability.RECOVERY));
  }

  @Override
  public Map<Capability, String> lacks() {
    return Map.of(Capability.RECOVERY, "of ordered stores only");
  }

  @Override
  public OutboxStore<ClientSession> open() {
    database.reset();
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
    ClientSession session = database.client().startSession();
    session.startTransaction(
        TransactionOptions.builder().writeConcern(WriteConcern.MAJORITY).build());
    return session;
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
      transaction.abortTransaction();
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

  /** A claim writes each document at once, so only a transaction can hold one. */
  @Override
  public AutoCloseable holdRow(OutboxStore<ClientSession> store, UUID id) {
    ClientSession holder = begin(store);
    database
        .database()
        .callersCollection(Names.OUTBOX)
        .updateOne(
            holder,
            new BsonDocument(MessageDocument.ID, MessageDocument.id(id)),
            Updates.set("held", true));
    return () -> rollback(holder);
  }

  @Override
  public SchemaFixture freshSchema() {
    return new MongoSchemaFixture(TestDatabase.empty("tck_schema"));
  }

  @Override
  public void close() {
    database.close();
  }
}
