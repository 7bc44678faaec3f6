package io.postroad.micronaut.internal.settings;

import io.micronaut.context.annotation.ConfigurationProperties;
import io.micronaut.core.bind.annotation.Bindable;
import io.postroad.schema.SchemaMode;
import java.time.Duration;

/**
 * Where Postroad keeps what it stores.
 *
 * @param type the database: that of the application, unless it has both
 * @param datasource name under datasources, or under mongodb.servers; the primary one unless given
 * @param schema schema of the tables in PostgreSQL
 * @param database database of the collections in MongoDB; that of mongodb.uri unless given
 * @param prefix begins the name of every table or collection
 * @param schemaMode what the start does about tables or collections: verify them, migrate (create
 *     and upgrade them, too) or none
 * @param lanes into how many lanes the outbox is divided; fixed once its schema is there
 * @param remoteWakeUp whether other nodes are told of new messages at once: by LISTEN/NOTIFY or a
 *     change stream
 * @param operationTimeout after this a statement or operation of Postroad's own is given up
 * @param rerunFor for how long a unit of work on MongoDB is run again because of transient errors
 */
@ConfigurationProperties("postroad.store")
public record StoreProperties(
    @Bindable(defaultValue = "AUTO") Type type,
    @Bindable(defaultValue = "") String datasource,
    @Bindable(defaultValue = "public") String schema,
    @Bindable(defaultValue = "") String database,
    @Bindable(defaultValue = "") String prefix,
    @Bindable(defaultValue = "VERIFY") SchemaMode schemaMode,
    @Bindable(defaultValue = "1") int lanes,
    @Bindable(defaultValue = "true") String remoteWakeUp,
    @Bindable(defaultValue = "30s") Duration operationTimeout,
    @Bindable(defaultValue = "30s") Duration rerunFor) {

  /** Refused unless the switch among them is one. */
  public StoreProperties {
    boolean unused = isOn(remoteWakeUp);
  }

  public boolean wakesOthers() {
    return isOn(remoteWakeUp);
  }

  private static boolean isOn(String text) {
    return Switch.isOn("postroad.store.remote-wake-up", text);
  }

  /** Which database. */
  public enum Type {
    /** The one that the application has; refused when it has both. */
    AUTO,
    /** PostgreSQL, by the application's DataSource. */
    POSTGRES,
    /** MongoDB, by the application's client. */
    MONGODB
  }
}
