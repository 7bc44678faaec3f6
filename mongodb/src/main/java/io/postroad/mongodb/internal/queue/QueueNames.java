package io.postroad.mongodb.internal.queue;

/** The names of the fields that the verbs of a queue write and query. */
public record QueueNames(
    String status, String attempts, String lastError, Lease lease, Times times, Marks marks) {

  /** The fields of a claim. */
  public record Lease(String token, String owner, String until, String expiredOwner) {}

  /** The fields with times. */
  public record Times(String createdAt, String diedAt, String asideAt) {}

  /** The fields that single verbs leave in a document. */
  public record Marks(String claim, String settle, String replaces) {}
}
