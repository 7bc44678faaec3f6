package io.postroad.framework.internal.settings;

import io.postroad.mongodb.MongoOptions;
import io.postroad.postgres.PostgresOptions;

/** Makes the options of a store. Nested classes, so that each works without the other database. */
public final class StoreOptions {
  private StoreOptions() {}

  /** For PostgreSQL. */
  public static final class Postgres {
    private Postgres() {}

    public static PostgresOptions of(StoreSettings store) {
      return Refusals.unlessFit(
          "postroad.store",
          () ->
              PostgresOptions.defaults()
                  .withSchema(store.schema())
                  .withPrefix(store.prefix())
                  .withSchemaMode(store.schemaMode())
                  .withLanes(store.lanes())
                  .withStatementTimeout(store.operationTimeout())
                  .withWakeUpMode(
                      store.wakesOtherNodes()
                          ? PostgresOptions.WakeUpMode.NOTIFY
                          : PostgresOptions.WakeUpMode.LOCAL));
    }
  }

  /** For MongoDB. */
  public static final class Mongo {
    private Mongo() {}

    public static MongoOptions of(StoreSettings store, String database) {
      return Refusals.unlessFit(
          "postroad.store",
          () ->
              MongoOptions.defaults()
                  .withDatabase(database)
                  .withPrefix(store.prefix())
                  .withSchemaMode(store.schemaMode())
                  .withLanes(store.lanes())
                  .withOperationTimeout(store.operationTimeout())
                  .withRerunFor(store.rerunFor())
                  .withWakeUpMode(
                      store.wakesOtherNodes()
                          ? MongoOptions.WakeUpMode.CHANGE_STREAM
                          : MongoOptions.WakeUpMode.LOCAL));
    }
  }
}
