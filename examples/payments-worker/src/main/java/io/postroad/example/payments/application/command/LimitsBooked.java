package io.postroad.example.payments.application.command;

import java.math.BigDecimal;
import java.util.Optional;
import java.util.UUID;

/** What was used of which limit; nothing where the account has no limits. */
public record LimitsBooked(Optional<UUID> limitId, BigDecimal limitBookedAmount) {}
