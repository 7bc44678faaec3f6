package io.postroad.spring;

import com.mongodb.TransactionOptions;
import com.mongodb.WriteConcern;
import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import io.postroad.mongodb.MongoOptions;
import io.postroad.mongodb.MongoOrderedStore;
import io.postroad.schema.SchemaMode;
import io.postroad.servers.MongoServer;
import io.postroad.spi.OrderedStore;
import io.postroad.spi.OutboxStore;
import io.postroad.tck.Capability;
import io.postroad.tck.StoreFixture;
import java.time.Duration;
import java.util.Set;
import org.springframework.data.mongodb.core.SimpleMongoClientDatabaseFactory;

/** MongoDB for the TCK, in Spring's transactions. */
public final class SpringMongoFixture implements StoreFixture<ClientSession> {
  private final MongoClient client = MongoClients.create(MongoServer.shared().connectionString());
  private MongoOptions options =
      MongoOptions.defaults()
          .withDatabase(MongoServer.shared().freshDatabase("spring_tck"))
          .withSchemaMode(SchemaMode.MIGRATE);

  @Override
  public String name() {
    return "spring-mongodb";
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
    client.getDatabase(options.database()).drop();
    options = options.withLanes(lanes);
    return store();
  }

  @Override
  public OutboxStore<ClientSession> openAnother(OutboxStore<ClientSession> first) {
    return store();
  }

  private OutboxStore<ClientSession> store() {
    SpringMongoTransactions transactions =
        new SpringMongoTransactions(
            new PatientMongoTransactionManager(
                new SimpleMongoClientDatabaseFactory(client, options.database())));
    @SuppressWarnings("unchecked")
    OrderedStore<ClientSession> proxied =
        WithTransactions.proxy(
            OrderedStore.class, MongoOrderedStore.open(client, options), transactions);
    return proxied;
  }

  @Override
  public void advance(Duration by) {
    throw new UnsupportedOperationException("the contracts that are chosen need no clock");
  }

  @Override
  public ClientSession begin(OutboxStore<ClientSession> store) {
    ClientSession session = client.startSession();
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
    return client.startSession();
  }

  @Override
  public void release(ClientSession notATransaction) {
    notATransaction.close();
  }

  @Override
  public void close() {
    client.close();
  }
}
