package io.postroad.example.payments.application.command;

import java.math.BigDecimal;
import java.util.UUID;

/** The reply with the contract and its rate. */
public record FxBooked(UUID fxContractId, BigDecimal exchangeRate) {}
