package io.postroad.micronaut;

import com.mongodb.TransactionOptions;
import com.mongodb.WriteConcern;
import com.mongodb.client.ClientSession;
import io.postroad.mongodb.MongoOptions;
import io.postroad.mongodb.MongoOrderedStore;
import io.postroad.schema.SchemaMode;
import io.postroad.spi.OrderedStore;
import io.postroad.spi.OutboxStore;
import io.postroad.tck.Capability;
import io.postroad.tck.StoreFixture;
import java.time.Duration;
import java.util.Set;

/** MongoDB for the TCK, in transactions of Micronaut. */
public final class MicronautMongoFixture implements StoreFixture<ClientSession> {
  private final TestMongo mongo = new TestMongo("micronaut_tck");
  private MongoOptions options =
      MongoOptions.defaults().withDatabase(mongo.database()).withSchemaMode(SchemaMode.MIGRATE);

  @Override
  public String name() {
    return "micronaut-mongodb";
  }

  @Override
  public Set<Capability> capabilities() {
    return Set.of();
  }

  @Override
  public OutboxStore<ClientSession> open() {
    return open(1);
  }

  @Override
  public OutboxStore<ClientSession> open(int lanes) {
    mongo.client().getDatabase(options.database()).drop();
    options = options.withLanes(lanes);
    return store();
  }

  @Override
  public OutboxStore<ClientSession> openAnother(OutboxStore<ClientSession> first) {
    return store();
  }

  private OutboxStore<ClientSession> store() {
    @SuppressWarnings("unchecked")
    OrderedStore<ClientSession> proxied =
        WithTransactions.proxy(
            OrderedStore.class,
            MongoOrderedStore.open(mongo.client(), options),
            new MicronautMongoTransactions(mongo.operations()));
    return proxied;
  }

  @Override
  public void advance(Duration by) {
    throw new UnsupportedOperationException("the contracts that are chosen need no clock");
  }

  @Override
  public ClientSession begin(OutboxStore<ClientSession> store) {
    ClientSession session = mongo.client().startSession();
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
    return mongo.client().startSession();
  }

  @Override
  public void release(ClientSession notATransaction) {
    notATransaction.close();
  }

  @Override
  public void close() {
    mongo.close();
  }
}
