package io.postroad.spi.process;

import java.util.UUID;

/**
 * The reply to a command of a process, stored by the transaction that handled the command, for
 * another transaction that applies it. Immutable.
 *
 * @param processId the process that sent the command
 * @param commandId the command
 * @param reply a JSON object
 */
public record WaitingReply(UUID processId, UUID commandId, String reply) {}
