package io.postroad.spi.process;

import java.time.Instant;
import java.util.Optional;
import java.util.UUID;

/**
 * An entry in the log of a process. Immutable.
 *
 * @param id the id of the entry
 * @param processId the process
 * @param seq 1, 2, 3 ... without a gap within its process
 * @param type for example {@code StepCompleted}; at most 120 characters
 * @param step the node of the event; at most 255 characters
 * @param data the details, a JSON object
 * @param createdAt later than the time of the entry before
 */
public record ProcessLogEntry(
    UUID id,
    UUID processId,
    long seq,
    String type,
    Optional<String> step,
    String data,
    Instant createdAt) {}
