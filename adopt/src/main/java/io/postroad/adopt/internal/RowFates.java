package io.postroad.adopt.internal;

import io.postroad.adopt.WordRows;
import io.postroad.layout.Field;
import io.postroad.layout.Layout;
import io.postroad.layout.Statuses;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Describes the treatment of existing rows by a relay. */
final class RowFates {
  private final Layout layout;
  private final Optional<String> expiry;

  RowFates(Layout layout, Optional<String> expiry) {
    this.layout = layout;
    this.expiry = expiry;
  }

  /** Returns a line for each word, the layout's first, in the order of a message's life. */
  List<String> lines(List<WordRows> rows) {
    List<String> words = layout.statuses().all();
    List<String> lines = new ArrayList<>();
    for (String word : words) {
      long count =
          rows.stream()
              .filter(each -> each.word().equals(Optional.of(word)))
              .mapToLong(WordRows::rows)
              .sum();
      lines.add("%s %s: %s".formatted(word, rows(count), fate(word)));
    }
    rows.stream()
        .filter(each -> each.word().isEmpty())
        .forEach(
            each ->
                lines.add(
                    "(none) %s: %s"
                        .formatted(rows(each.rows()), fate(layout.statusOfRowsWithoutOne()))));
    return lines;
  }

  private String fate(String word) {
    Statuses statuses = layout.statuses();
    if (word.equals(statuses.pending())) {
      return ofPending();
    }
    if (word.equals(statuses.delivered())) {
      return ofDelivered();
    }
    if (word.equals(statuses.dead())) {
      return ofDead();
    }
    return statuses.processing().equals(Optional.of(word))
        ? ofProcessing()
        : "tried again when due";
  }

  private String ofPending() {
    String when = layout.column(Field.DUE_AT).map(" when %s has come"::formatted).orElse("");
    String age = layout.minAge().isZero() ? "" : ", once %s old".formatted(say(layout.minAge()));
    return "will be delivered" + when + age;
  }

  private String ofProcessing() {
    String after =
        "taken over %s after it was first seen unless its owner finishes it"
            .formatted(say(layout.strangersAfter()));
    return layout
        .column(Field.LEASE_UNTIL)
        .map(
            until ->
                "taken over when %s has passed, or if that is empty, ".formatted(until) + after)
        .orElse(after);
  }

  private String ofDelivered() {
    return expiry
        .map("not sent again; removed by %s"::formatted)
        .orElse("not sent again; removed when older than RelayOptions.retention");
  }

  private String ofDead() {
    return layout.revivesFailed()
        ? "tried again if tried less than %d times, else listed as dead letters"
            .formatted(layout.executions())
        : "listed as dead letters";
  }

  static String rows(long count) {
    return count == 1 ? "1 row" : count + " rows";
  }

  static String rowsHave(long count) {
    return rows(count) + (count == 1 ? " has" : " have");
  }

  static String say(Duration span) {
    if (span.toMillis() % 60_000 == 0) {
      return span.toMinutes() == 1 ? "1 minute" : span.toMinutes() + " minutes";
    }
    if (span.toMillis() % 1_000 == 0) {
      return span.toSeconds() == 1 ? "1 second" : span.toSeconds() + " seconds";
    }
    return span.toMillis() + " ms";
  }
}
