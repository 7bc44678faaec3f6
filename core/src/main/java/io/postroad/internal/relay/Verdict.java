package io.postroad.internal.relay;

import io.postroad.outbox.OutboxSignal;
import io.postroad.spi.Settlement;

/** What is to be written about a claimed message, and what observers hear once it is written. */
public record Verdict(Settlement settlement, OutboxSignal signal) {}
