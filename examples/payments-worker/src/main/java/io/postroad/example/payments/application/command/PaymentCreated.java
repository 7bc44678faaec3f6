package io.postroad.example.payments.application.command;

import io.postroad.example.payments.domain.model.Payment;
import java.util.UUID;

/** The reply with the submitted payment. */
public record PaymentCreated(UUID paymentId, Payment.Status status) {}
