package io.postroad.mongodb.internal.client;

import com.mongodb.TransactionOptions;
import com.mongodb.WriteConcern;
import com.mongodb.client.ClientSession;
import com.mongodb.client.model.Updates;
import io.postroad.layout.Layout;
import io.postroad.layout.Layouts;
import io.postroad.mongodb.AdoptedDatabase;
import io.postroad.spi.OutboxStore;
import io.postroad.tck.Capability;
import io.postroad.tck.SchemaFixture;
import io.postroad.tck.StoreFixture;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.bson.BsonDocument;

/** The collection of the recurring rules for the TCK, emptied for each test. */
public final class MongoLayoutFixture implements StoreFixture<ClientSession> {
  private static final Layout LAYOUT = Layouts.recurringRules();

  private final AdoptedDatabase database = AdoptedDatabase.recurringRules();

  /** Without its own expiry, so that the contracts of retention apply. */
  public MongoLayoutFixture() {
    database.outbox().dropIndex("idx_outbox_sent_ttl");
  }

  @Override
  public String name() {
    return "mongodb-recurring-rules";
  }

  @Override
  public Set<Capability> capabilities() {
    return EnumSet.complementOf(
        EnumSet.of(
            Capability.RECOVERY,
            Capability.SCHEMA,
            Capability.INBOX,
            Capability.COMMANDS,
            Capability.PROCESSES));
  }

  @Override
  public Map<Capability, String> lacks() {
    return Map.of(
        Capability.RECOVERY,
        "of ordered stores only",
        Capability.INBOX,
        "tested with the ordered store",
        Capability.COMMANDS,
        "commands have a collection of their own",
        Capability.PROCESSES,
        "processes have collections of their own",
        Capability.SCHEMA,
        "the collection is the team's; RecurringRulesLayoutTest shows what is added");
  }

  @Override
  public OutboxStore<ClientSession> open() {
    OutboxStore<ClientSession> store = openAnother();
    database.outbox().deleteMany(new BsonDocument());
    Database beside = database.beside(LAYOUT);
    for (String name : List.of(Names.AUDIT, Names.PAUSE, Names.SIGNAL, Names.LEASE)) {
      beside.collection(name).deleteMany(new BsonDocument());
    }
    beside
        .collection(Names.DEDUP)
        .deleteMany(BsonDocument.parse("{\"expires_at\": {\"$exists\": true}}"));
    database.resetClock();
    return store;
  }

  @Override
  public OutboxStore<ClientSession> openAnother(OutboxStore<ClientSession> first) {
    return openAnother();
  }

  private OutboxStore<ClientSession> openAnother() {
    return database.open(LAYOUT, database.options().withStreams(true));
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

  @Override
  public AutoCloseable holdRow(OutboxStore<ClientSession> store, UUID id) {
    ClientSession holder = begin(store);
    database.outbox().updateOne(holder, DocumentIds.among(List.of(id)), Updates.set("held", true));
    return () -> rollback(holder);
  }

  @Override
  public SchemaFixture freshSchema() {
    throw new UnsupportedOperationException("the collection is the team's");
  }

  @Override
  public void close() {
    database.close();
  }
}
