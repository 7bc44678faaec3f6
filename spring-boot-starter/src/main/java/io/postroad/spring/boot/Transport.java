package io.postroad.spring.boot;

import io.postroad.outbox.MessageSender;
import java.util.function.Supplier;

/** A way to send that the application has; opened when it is chosen. */
record Transport(RelayProperties.Transport kind, Supplier<MessageSender> opening) {}
