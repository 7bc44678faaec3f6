/** The queues of the service: connections, receivers and handlers. */
@NullMarked
package io.postroad.example.payments.infrastructure.messaging;

import org.jspecify.annotations.NullMarked;
