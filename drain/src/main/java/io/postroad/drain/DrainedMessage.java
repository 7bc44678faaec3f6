package io.postroad.drain;

import io.postroad.message.Message;

/** Message that was made of a row of another outbox. */
record DrainedMessage(String rowId, Message message) {}
