package io.postroad.mongodb.internal.queue;

/** The names of the fields that the verbs of a queue write and ask for. */
public record QueueNames(
    String status,
    String attempts,
    String token,
    String leaseOwner,
    String leaseUntil,
    String lastError,
    String createdAt,
    String diedAt,
    String asideAt,
    String expiredOwner,
    String claim,
    String settle,
    String replaces) {}
