package io.postroad.spring.boot.payment;

/** What the controller answers. */
public record PaymentResponse(String paymentId, String status) {}
