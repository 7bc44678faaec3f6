package io.postroad.example.payments.application.command;

import java.util.UUID;

/** The reply with the created account. */
public record AccountCreated(UUID accountId, String accountNumber) {}
