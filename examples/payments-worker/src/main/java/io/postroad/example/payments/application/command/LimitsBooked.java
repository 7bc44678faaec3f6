package io.postroad.example.payments.application.command;

import java.math.BigDecimal;
import java.util.Optional;
import java.util.UUID;

/** The reply with the used limit and amount; empty for an account without limits. */
public record LimitsBooked(Optional<UUID> limitId, BigDecimal limitBookedAmount) {}
