package io.postroad.example.payments.domain.model;

import java.time.Instant;
import java.util.Optional;
import java.util.UUID;

/**
 * A transaction of an account. Immutable.
 *
 * @param bookingId the booking of the transaction and of its reversal; empty for none
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
