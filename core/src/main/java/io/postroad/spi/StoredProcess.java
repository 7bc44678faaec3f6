package io.postroad.spi;

import java.time.Instant;
import java.util.Optional;
import java.util.UUID;

/**
 * A process as it is kept. Immutable.
 *
 * @param id of the process
 * @param type for example {@code SimplePayment}; at most 120 characters
 * @param businessKey what it is about, in the words of the domain; at most 255 characters
 * @param isUnique whether no other active process of its type may have its business key
 * @param status RUNNING, SUCCEEDED, COMPENSATING, COMPENSATED or FAILED
 * @param isActive whether it has not ended
 * @param currentStep where it is, for people; at most 255 characters
 * @param data what its steps know, a JSON object
 * @param retries of the current step
 * @param definition the hash of the definition that it runs on
 * @param isPaused whether nothing new is begun
 * @param failureKind why it is undone or has failed, one word
 * @param failure the same for people; at most 4,000 characters
 * @param marking where exactly it stands, a JSON object
 * @param dueAt when a timer of it fires next, or what a node carries has to be looked for
 * @param lastSeq the number of its newest log entry
 * @param createdAt when it was started
 * @param updatedAt when it last changed: the time of its newest log entry
 */
public record StoredProcess(
    UUID id,
    String type,
    String businessKey,
    boolean isUnique,
    String status,
    boolean isActive,
    String currentStep,
    String data,
    int retries,
    String definition,
    boolean isPaused,
    Optional<String> failureKind,
    Optional<String> failure,
    String marking,
    Optional<Instant> dueAt,
    long lastSeq,
    Instant createdAt,
    Instant updatedAt) {}
