package io.postroad.spring.boot;

import io.postroad.schema.SchemaMode;
import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Where Postroad keeps what it stores.
 *
 * @param type the database: auto (that of the application, unless it has both), postgres or mongodb
 * @param schema schema of the tables in PostgreSQL
 * @param database database of the collections in MongoDB; that of the application unless given
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
    @DefaultValue("auto") Type type,
    @DefaultValue("public") String schema,
    @DefaultValue("") String database,
    @DefaultValue("") String prefix,
    @DefaultValue("verify") SchemaMode schemaMode,
    @DefaultValue("1") int lanes,
    @DefaultValue("true") boolean remoteWakeUp,
    @DefaultValue("30s") Duration operationTimeout,
    @DefaultValue("30s") Duration rerunFor) {

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
