package io.postroad.example.payments.application.command;

import java.util.UUID;

/** The account is there. */
public record AccountCreated(UUID accountId, String accountNumber) {}
