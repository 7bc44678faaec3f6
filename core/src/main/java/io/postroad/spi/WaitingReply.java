package io.postroad.spi;

import java.util.UUID;

/**
 * The reply to a command of a process, written down by the transaction that handled the command,
 * for another one that moves the process. Immutable.
 *
 * @param processId whose reply it is
 * @param commandId what was replied to
 * @param reply a JSON object
 */
public record WaitingReply(UUID processId, UUID commandId, String reply) {}
