/** Rules in MongoDB: documents, queries, migrations. */
@NullMarked
package io.postroad.example.rules.infrastructure.mongodb;

import org.jspecify.annotations.NullMarked;
