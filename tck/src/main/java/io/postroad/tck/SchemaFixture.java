package io.postroad.tck;

import io.postroad.schema.StoreSchema;

/**
 * A database that begins without any schema of Postroad, for the migration contract. The TCK closes
 * it at the end of a test. {@link #schema()} and what it returns are used from many threads.
 */
public interface SchemaFixture extends AutoCloseable {

  /** A node's own view of the schema; every call gives the view of another node. */
  StoreSchema schema() throws Exception;

  /**
   * Rewrites the history so that {@code version} is the latest that was applied, and changes
   * nothing else: how a database looks to an older or a newer library.
   */
  void pretendInstalled(int version) throws Exception;

  /** Makes the latest applied step look as if its text had been another one when it was run. */
  void changeAppliedStep() throws Exception;

  /**
   * Takes one thing away that the store needs, a table, column or index, but nothing of the
   * history.
   *
   * @return its name, as {@link StoreSchema#verify()} must give it
   */
  String removeOne() throws Exception;

  /** Runs the text of {@link StoreSchema#script()} the way a database administrator does. */
  void runScript(String script) throws Exception;

  /** Everything in the database that a migration could change, as text to compare. */
  String snapshot() throws Exception;

  @Override
  void close() throws Exception;
}
