package io.postroad.micronaut;

import io.postroad.outbox.MessageSender;
import java.util.function.Supplier;

/** A way to send that the application has; opened when it is chosen. */
record Transport(RelayProperties.Transport kind, Supplier<MessageSender> opening) {}
