package io.postroad.example.payments.domain.model;

import java.time.Instant;
import java.util.Optional;
import java.util.UUID;

/**
 * A line of an account. Immutable.
 *
 * @param bookingId whose work it is: the same in a transaction and in the one that reverses it;
 *     empty for one that belongs to nothing
 */
public record Transaction(
    UUID transactionId,
    UUID accountId,
    Instant transactionTime,
    TransactionType transactionType,
    Money amount,
    String description,
    Money balanceAfter,
    Optional<UUID> bookingId) {}
