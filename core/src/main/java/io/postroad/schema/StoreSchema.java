package io.postroad.schema;

/**
 * The tables, indexes or collections a store needs, as numbered steps with a history of their own.
 *
 * <p>Safe when several nodes start at once: one migrates, the others wait and find it done. A crash
 * in the middle leaves the version before the step that was running.
 */
public interface StoreSchema {

  /** The version this library works with. */
  int requiredVersion();

  /** The version the database has; 0 when it has none. */
  int installedVersion();

  /**
   * Brings the database to {@link #requiredVersion()}.
   *
   * @throws SchemaException when the database is newer, or an applied step was changed since
   */
  void migrate();

  /**
   * Changes nothing.
   *
   * @throws SchemaException when the schema is missing, too old, too new or incomplete, naming what
   *     is missing and how to get it
   */
  void verify();

  /** The steps as one script that a database administrator can read and run. */
  String script();
}
