package io.postroad.postgres.drain;

import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What the columns of another outbox are called and what their words mean.
 *
 * @param touchedAt when it was handed to a listener again
 * @param failures a number from columns that may be missing
 * @param pending statuses of rows that are to be delivered; so is a row without one
 * @param optional columns that not every version has
 */
record DrainColumns(
    String id,
    String type,
    String listener,
    @Nullable String key,
    String payload,
    @Nullable String context,
    String createdAt,
    @Nullable String touchedAt,
    @Nullable String dueAt,
    Failures failures,
    String status,
    String completedAt,
    List<String> pending,
    Set<String> optional) {

  /** Statuses that both libraries call the same. */
  static final String COMPLETED = "COMPLETED";

  static final String FAILED = "FAILED";

  /** Spring Modulith counts attempts from 1 when a row is made, not failures. */
  static final DrainColumns SPRING_MODULITH =
      new DrainColumns(
          "id",
          "event_type",
          "listener_id",
          null,
          "serialized_event",
          null,
          "publication_date",
          "last_resubmission_date",
          null,
          new Failures(
              "completion_attempts",
              "GREATEST(t.completion_attempts - CASE t.status WHEN 'FAILED' THEN 0 ELSE 1 END, 0)"),
          "status",
          "completion_date",
          List.of("PUBLISHED", "PROCESSING", "RESUBMITTED"),
          Set.of("status", "completion_attempts", "last_resubmission_date"));

  static final DrainColumns NAMASTACK =
      new DrainColumns(
          "id",
          "record_type",
          "handler_id",
          "record_key",
          "payload",
          "context",
          "created_at",
          null,
          "next_retry_at",
          new Failures("failure_count", "t.failure_count"),
          "status",
          "completed_at",
          List.of("NEW"),
          Set.of("context"));

  /** How often a row has failed: an expression that needs a column. */
  record Failures(String column, String expression) {}

  /** The columns without which nothing can be moved. */
  List<String> required() {
    return Stream.concat(texts().stream(), times().stream())
        .filter(Predicate.not(optional::contains))
        .toList();
  }

  List<String> texts() {
    return present(id, type, listener, key, payload, context, status);
  }

  List<String> times() {
    return present(createdAt, touchedAt, dueAt, completedAt);
  }

  private static List<String> present(@Nullable String... names) {
    return Stream.of(names).flatMap(Stream::ofNullable).map(String.class::cast).toList();
  }
}
