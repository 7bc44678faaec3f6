package io.postroad.spring.boot.internal.settings;

import io.postroad.framework.internal.settings.StoreSettings;
import io.postroad.framework.internal.settings.StoreType;
import io.postroad.schema.SchemaMode;
import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The properties of the store.
 *
 * @param type the database: auto (that of the application, unless it has both), postgres or mongodb
 * @param schema schema of the tables in PostgreSQL
 * @param database database of the collections in MongoDB; that of the application unless given
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
    @DefaultValue("auto") StoreType type,
    @DefaultValue("public") String schema,
    @DefaultValue("") String database,
    @DefaultValue("") String prefix,
    @DefaultValue("verify") SchemaMode schemaMode,
    @DefaultValue("1") int lanes,
    @DefaultValue("true") boolean remoteWakeUp,
    @DefaultValue("30s") Duration operationTimeout,
    @DefaultValue("30s") Duration rerunFor)
    implements StoreSettings {

  @Override
  public boolean wakesOtherNodes() {
    return remoteWakeUp;
  }
}
