package io.postroad.example.payments.application.command;

/** The reply when an account is complete. */
public record AccountCompleted(String status) {}
