/**
 * A wiki that renders, indexes and creates thumbnails with an outbox in MongoDB, without a broker.
 */
@NullMarked
package io.postroad.example.wiki;

import org.jspecify.annotations.NullMarked;
