package io.postroad.example.payments.application.command;

import java.math.BigDecimal;
import java.util.UUID;

/** The reply with the transaction and the new balance. */
public record TransactionCreated(UUID transactionId, BigDecimal balance) {}
