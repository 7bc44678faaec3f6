package io.postroad.spring.boot.internal;

import io.postroad.outbox.sender.MessageSender;
import io.postroad.spring.boot.RelayProperties;
import java.util.function.Supplier;

/** A way to send that the application has; opened when it is chosen. */
public record Transport(RelayProperties.Transport kind, Supplier<MessageSender> opening) {}
