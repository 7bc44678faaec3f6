package io.postroad.example.payments.application.command;

/** All of an account is there. */
public record AccountCompleted(String status) {}
