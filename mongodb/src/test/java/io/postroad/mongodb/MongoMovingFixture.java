package io.postroad.mongodb;

import com.mongodb.client.ClientSession;
import io.postroad.mongodb.internal.client.MongoFixture;
import io.postroad.spi.OutboxStore;

/** MongoDB for the TCK, with dead letters in a box of their own. */
public final class MongoMovingFixture extends MongoFixture {

  @Override
  public String name() {
    return "mongodb-moving";
  }

  @Override
  public OutboxStore<ClientSession> open() {
    database.reset();
    return openAnother();
  }

  @Override
  public OutboxStore<ClientSession> openAnother(OutboxStore<ClientSession> first) {
    return openAnother();
  }

  private OutboxStore<ClientSession> openAnother() {
    return database.open(database.options().withDeadLetters(MongoOptions.DeadLetters.MOVE));
  }
}
