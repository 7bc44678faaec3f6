package io.postroad.postgres.drain;

import io.postroad.message.Message;

/** A row of another outbox and the message that it becomes. */
record DrainedMessage(String rowId, Message message) {}
