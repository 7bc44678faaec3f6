package io.postroad.framework.internal.wiring;

import io.postroad.framework.internal.settings.TransportKind;
import io.postroad.outbox.sender.MessageSender;
import java.util.function.Supplier;

/** A way to send that the application has; opened only if the relay uses it. */
public record Transport(TransportKind kind, Supplier<MessageSender> opening) {}
