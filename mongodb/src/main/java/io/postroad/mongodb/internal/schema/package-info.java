/**
 * Creates and checks collections. {@link io.postroad.mongodb.internal.schema.SchemaSteps} has the
 * numbered files, {@link io.postroad.mongodb.internal.schema.SchemaHistory} knows which steps a
 * database has.
 */
@NullMarked
package io.postroad.mongodb.internal.schema;

import org.jspecify.annotations.NullMarked;
