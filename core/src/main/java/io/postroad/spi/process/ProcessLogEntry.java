package io.postroad.spi.process;

import java.time.Instant;
import java.util.Optional;
import java.util.UUID;

/**
 * A line of a process's log. Immutable.
 *
 * @param id of the entry
 * @param processId whose log it is
 * @param seq 1, 2, 3 ... without a gap within its process
 * @param type for example {@code StepCompleted}; at most 120 characters
 * @param step what it is about; at most 255 characters
 * @param data the details, a JSON object
 * @param createdAt later than that of the entry before
 */
public record ProcessLogEntry(
    UUID id,
    UUID processId,
    long seq,
    String type,
    Optional<String> step,
    String data,
    Instant createdAt) {}
