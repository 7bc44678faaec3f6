/** Recurring rules on MongoDB, with an outbox to Kafka. */
@NullMarked
package io.postroad.example.rules;

import org.jspecify.annotations.NullMarked;
