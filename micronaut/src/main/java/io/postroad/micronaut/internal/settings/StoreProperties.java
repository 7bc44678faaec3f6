package io.postroad.micronaut.internal.settings;

import io.micronaut.context.annotation.ConfigurationProperties;
import io.micronaut.core.bind.annotation.Bindable;
import io.postroad.framework.internal.settings.StoreSettings;
import io.postroad.framework.internal.settings.StoreType;
import io.postroad.schema.SchemaMode;
import java.time.Duration;

/**
 * The properties of the store.
 *
 * @param type the database: auto (that of the application, unless it has both), postgres or mongodb
 * @param datasource name under datasources, or under mongodb.servers; the primary one unless given
 * @param schema schema of the tables in PostgreSQL
 * @param database database of the collections in MongoDB; that of mongodb.uri unless given
 * @param prefix begins the name of every table or collection
 * @param schemaMode what the start does with tables or collections: verify them, migrate (create
 *     and upgrade them, too) or none
 * @param lanes into how many lanes the outbox is divided; fixed once its schema is there
 * @param remoteWakeUp whether new messages wake up the relays of other nodes at once, by
 *     LISTEN/NOTIFY or a change stream
 * @param operationTimeout how long a statement or operation of Postroad itself may take
 * @param rerunFor how long a transaction on MongoDB is run again because of transient errors
 */
@ConfigurationProperties("postroad.store")
public record StoreProperties(
    @Bindable(defaultValue = "AUTO") StoreType type,
    @Bindable(defaultValue = "") String datasource,
    @Bindable(defaultValue = "public") String schema,
    @Bindable(defaultValue = "") String database,
    @Bindable(defaultValue = "") String prefix,
    @Bindable(defaultValue = "VERIFY") SchemaMode schemaMode,
    @Bindable(defaultValue = "1") int lanes,
    @Bindable(defaultValue = "true") String remoteWakeUp,
    @Bindable(defaultValue = "30s") Duration operationTimeout,
    @Bindable(defaultValue = "30s") Duration rerunFor)
    implements StoreSettings {

  /** Refuses a switch that is neither true nor false. */
  public StoreProperties {
    boolean unused = isOn(remoteWakeUp);
  }

  @Override
  public boolean wakesOtherNodes() {
    return isOn(remoteWakeUp);
  }

  private static boolean isOn(String text) {
    return Switch.isOn("postroad.store.remote-wake-up", text);
  }
}
