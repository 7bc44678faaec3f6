/** Queues of the service: connections, receivers and what they receive. */
@NullMarked
package io.postroad.example.payments.infrastructure.messaging;

import org.jspecify.annotations.NullMarked;
