package io.postroad.example.payments.application.command;

/** The reply with the number of limits. */
public record LimitsCreated(int limitCount) {}
