package io.postroad.example.payments.application.command;

/** The account has this many limits. */
public record LimitsCreated(int limitCount) {}
