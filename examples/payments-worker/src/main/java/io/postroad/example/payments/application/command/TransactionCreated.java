package io.postroad.example.payments.application.command;

import java.math.BigDecimal;
import java.util.UUID;

/** The transaction, and what the account holds after it. */
public record TransactionCreated(UUID transactionId, BigDecimal balance) {}
