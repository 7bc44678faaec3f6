/**
 * Creates and checks collections. {@link io.postroad.mongodb.internal.schema.SchemaSteps} is a
 * numbered file, {@link io.postroad.mongodb.internal.schema.SchemaHistory} knows which steps a
 * database has.
 */
@NullMarked
package io.postroad.mongodb.internal.schema;

import org.jspecify.annotations.NullMarked;
