/**
 * Creates and checks the tables and collections of the stores. {@link
 * io.postroad.schema.StoreSchema} migrates, verifies and prints them; {@link
 * io.postroad.schema.SchemaMode} says which of these a store does when it is opened.
 */
@NullMarked
package io.postroad.schema;

import org.jspecify.annotations.NullMarked;
