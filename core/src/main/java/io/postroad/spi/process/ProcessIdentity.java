package io.postroad.spi.process;

import java.time.Instant;
import java.util.UUID;

/**
 * The part of a process that never changes after its start. Immutable.
 *
 * @param id the id of the process
 * @param type for example {@code SimplePayment}; at most 120 characters
 * @param businessKey the key of the business object, for example an order number; at most 255
 *     characters
 * @param isUnique whether no other active process of its type may have its business key
 * @param definition the hash of the definition that it runs on
 * @param createdAt when it was started
 */
public record ProcessIdentity(
    UUID id,
    String type,
    String businessKey,
    boolean isUnique,
    String definition,
    Instant createdAt) {}
