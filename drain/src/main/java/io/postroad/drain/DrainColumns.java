package io.postroad.drain;

import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Column names of another outbox and the meaning of its statuses. Columns {@code id} and {@code
 * status} have the same names in both libraries.
 *
 * @param failures a number from a column that may be missing
 * @param pending statuses of rows that are to be delivered; a row without a status is pending, too
 * @param optional columns that not every version has
 */
record DrainColumns(
    Content content, Times times, Failures failures, List<String> pending, Set<String> optional) {
  static final String ID = "id";
  static final String STATUS = "status";

  /** Statuses that both libraries have. */
  static final String COMPLETED = "COMPLETED";

  static final String FAILED = "FAILED";

  /** Spring Modulith counts attempts from 1 when a row is made, not failures. */
  static final DrainColumns SPRING_MODULITH =
      new DrainColumns(
          new Content("event_type", "listener_id", null, "serialized_event", null),
          new Times("publication_date", "last_resubmission_date", null, "completion_date"),
          new Failures(
              "completion_attempts",
              "GREATEST(t.completion_attempts - CASE t.status WHEN 'FAILED' THEN 0 ELSE 1 END, 0)"),
          List.of("PUBLISHED", "PROCESSING", "RESUBMITTED"),
          Set.of(STATUS, "completion_attempts", "last_resubmission_date"));

  static final DrainColumns NAMASTACK =
      new DrainColumns(
          new Content("record_type", "handler_id", "record_key", "payload", "context"),
          new Times("created_at", null, "next_retry_at", "completed_at"),
          new Failures("failure_count", "t.failure_count"),
          List.of("NEW"),
          Set.of("context"));

  /** Columns that a message is made of. */
  record Content(
      String type,
      String listener,
      @Nullable String key,
      String payload,
      @Nullable String context) {}

  /**
   * Columns of times.
   *
   * @param touchedAt when the row was handed to a listener again
   */
  record Times(
      String createdAt, @Nullable String touchedAt, @Nullable String dueAt, String completedAt) {
    List<String> all() {
      return present(createdAt, touchedAt, dueAt, completedAt);
    }
  }

  /** Number of failures of a row: an expression that needs a column. */
  record Failures(String column, String expression) {}

  /** Returns the columns without which no row can be moved. */
  List<String> required() {
    List<String> texts =
        present(
            ID,
            content.type,
            content.listener,
            content.key,
            content.payload,
            content.context,
            STATUS);
    return Stream.concat(texts.stream(), times.all().stream())
        .filter(Predicate.not(optional::contains))
        .toList();
  }

  private static List<String> present(@Nullable String... names) {
    return Stream.of(names).flatMap(Stream::ofNullable).map(String.class::cast).toList();
  }
}
