package io.postroad.example.payment.application.port.in;

import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;

/** The request of a client. The domain checks it. */
public record ApprovePaymentCommand(
    @Nullable String paymentId,
    @Nullable String userId,
    @Nullable BigDecimal amount,
    @Nullable String currency) {}
