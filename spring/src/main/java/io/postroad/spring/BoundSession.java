package io.postroad.spring;

import com.mongodb.ClientSessionOptions;
import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoDatabase;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.core.InfrastructureProxy;
import org.springframework.dao.support.PersistenceExceptionTranslator;
import org.springframework.data.mongodb.MongoDatabaseFactory;
import org.springframework.data.mongodb.MongoDatabaseUtils;
import org.springframework.data.mongodb.SessionSynchronization;

/**
 * Finds the session that is bound to this thread. Spring Data does not return it, but passes it to
 * the factory of a database; this class takes the place of that factory and keeps the session.
 */
final class BoundSession implements MongoDatabaseFactory, InfrastructureProxy {
  private final MongoDatabaseFactory factory;
  private @Nullable ClientSession session;

  private BoundSession(MongoDatabaseFactory factory) {
    this.factory = factory;
  }

  /** Returns the session of the factory's transaction that this thread is in. */
  static Optional<ClientSession> of(MongoDatabaseFactory factory) {
    if (!MongoDatabaseUtils.isTransactionActive(factory)) {
      return Optional.empty();
    }
    BoundSession asked = new BoundSession(factory);
    MongoDatabase unused =
        MongoDatabaseUtils.getDatabase(asked, SessionSynchronization.ON_ACTUAL_TRANSACTION);
    return Optional.ofNullable(asked.session);
  }

  @Override
  public Object getWrappedObject() {
    return factory;
  }

  @Override
  public MongoDatabaseFactory withSession(ClientSession bound) {
    session = bound;
    return this;
  }

  @Override
  public MongoDatabase getMongoDatabase() {
    return factory.getMongoDatabase();
  }

  @Override
  public MongoDatabase getMongoDatabase(String name) {
    return factory.getMongoDatabase(name);
  }

  @Override
  public PersistenceExceptionTranslator getExceptionTranslator() {
    return factory.getExceptionTranslator();
  }

  @Override
  public ClientSession getSession(ClientSessionOptions options) {
    return factory.getSession(options);
  }
}
