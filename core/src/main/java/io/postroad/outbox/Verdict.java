package io.postroad.outbox;

import io.postroad.store.Settlement;

/** What is to be written about a claimed message, and what observers hear once it is written. */
record Verdict(Settlement settlement, OutboxSignal signal) {}
