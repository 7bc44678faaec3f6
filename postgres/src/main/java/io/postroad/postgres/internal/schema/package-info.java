/**
 * Creates and checks tables. {@link io.postroad.postgres.internal.schema.SchemaSteps} has the
 * numbered files, {@link io.postroad.postgres.internal.schema.SchemaHistory} knows which steps a
 * database has, {@link io.postroad.postgres.internal.schema.SchemaScript} and {@link
 * io.postroad.postgres.internal.schema.FlywayFiles} print them, {@link
 * io.postroad.postgres.internal.schema.TableCatalog} reads the catalog of the server.
 */
@NullMarked
package io.postroad.postgres.internal.schema;

import org.jspecify.annotations.NullMarked;
