package io.postroad.micronaut.internal.wiring;

import io.postroad.micronaut.internal.settings.RelayProperties;
import io.postroad.outbox.sender.MessageSender;
import java.util.function.Supplier;

/** A way to send that the application has; opened when it is chosen. */
record Transport(RelayProperties.Transport kind, Supplier<MessageSender> opening) {}
