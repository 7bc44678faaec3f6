/**
 * A wiki whose rendering, search and thumbnails are done by an outbox in MongoDB, without a broker.
 */
@NullMarked
package io.postroad.example.wiki;

import org.jspecify.annotations.NullMarked;
