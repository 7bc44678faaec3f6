package io.postroad.adopt.internal;

import io.postroad.adopt.ColumnShape;
import io.postroad.adopt.RowCounter;
import io.postroad.adopt.WordRows;
import io.postroad.layout.Statuses;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Guesses the meaning of the words in a status column. */
public final class StatusGuess {

  private enum Meaning {
    PENDING("pending new ready created queued unsent scheduled notsent unpublished initial open"),
    WAITING("retry retrying waiting waitingforretry retrypending deferred backoff"),
    PROCESSING("processing inprogress claimed locked picked sending publishing running inflight"),
    DELIVERED("delivered sent published done processed completed dispatched success succeeded"),
    DEAD("failed dead error deadletter deadlettered exhausted poison failure");

    private final String words;

    Meaning(String words) {
      this.words = words;
    }

    boolean has(String word) {
      return List.of(words.split(" ")).contains(FieldNames.plain(word));
    }

    static Optional<Meaning> of(String word) {
      for (Meaning each : values()) {
        if (each.has(word)) {
          return Optional.of(each);
        }
      }
      return Optional.empty();
    }
  }

  private final ColumnShape column;
  private final Optional<String> settledAt;
  private final Findings findings;
  private final Map<Meaning, String> words = new EnumMap<>(Meaning.class);

  private StatusGuess(ColumnShape column, Optional<String> settledAt, Findings findings) {
    this.column = column;
    this.settledAt = settledAt;
    this.findings = findings;
  }

  /**
   * Returns the words, or adds a problem that says why not.
   *
   * @param settledAt the column of the time of delivery; its name often has the word
   */
  public static Optional<Statuses> run(
      ColumnShape column, List<WordRows> rows, Optional<String> settledAt, Findings findings) {
    StatusGuess guess = new StatusGuess(column, settledAt, findings);
    return guess.sort(rows) ? Optional.of(guess.statuses()) : Optional.empty();
  }

  private boolean sort(List<WordRows> rows) {
    if (rows.size() > RowCounter.MAX_WORDS) {
      findings.problem(
          column.name(),
          "has more than %d different words, so it does not say how far a message is"
              .formatted(RowCounter.MAX_WORDS),
          "say which column does: .with(Field.STATUS, ...)");
      return false;
    }
    boolean clear = true;
    Set<String> seen = new TreeSet<>();
    column.defaultText().filter(this::canBePending).ifPresent(seen::add);
    for (WordRows each : rows) {
      each.word().ifPresent(seen::add);
      if (each.word().isEmpty()) {
        clear = false;
        findings.problem(
            column.name(),
            "%s nothing in it".formatted(RowFates.rowsHave(each.rows())),
            "give them a status");
      }
    }
    column.allowed().forEach(word -> allow(word, seen));
    for (String word : seen) {
      clear &= place(word);
    }
    return clear && noneIsForbidden();
  }

  /** Adds a word that no row has yet, if its meaning is known. */
  private void allow(String word, Set<String> seen) {
    if (Meaning.of(word).isPresent()) {
      seen.add(word);
    } else if (!seen.contains(word)) {
      findings.remark(
          "%s may be '%s', whose meaning is not known: a store does not open while a row has it"
              .formatted(column.name(), word));
    }
  }

  private boolean noneIsForbidden() {
    if (column.allowed().isEmpty()) {
      return true;
    }
    boolean allThere = true;
    for (Meaning each : List.of(Meaning.PENDING, Meaning.DELIVERED, Meaning.DEAD)) {
      if (!words.containsKey(each)) {
        allThere = false;
        findings.problem(
            column.name(),
            "takes only %s, and none of them means %s"
                .formatted(column.allowed(), each.name().toLowerCase(Locale.ROOT)),
            "allow a word for it, for example '%s'"
                .formatted(inTheirCase(each.words.split(" ")[0])));
      }
    }
    return allThere;
  }

  /** Whether the default of the column can mean pending: inserted rows are not claimed yet. */
  private boolean canBePending(String word) {
    return Meaning.of(word).map(Meaning.PENDING::equals).orElse(true);
  }

  private boolean place(String word) {
    Optional<Meaning> meaning =
        column.defaultText().filter(word::equals).filter(this::canBePending).isPresent()
            ? Optional.of(Meaning.PENDING)
            : Meaning.of(word);
    if (meaning.isEmpty()) {
      findings.problem(
          column.name(),
          "the meaning of '%s' in it is not known".formatted(word),
          "write the layout in code, with its words: Statuses.of(pending, delivered, dead)");
      return false;
    }
    @Nullable String other = words.putIfAbsent(meaning.get(), word);
    if (other != null) {
      findings.problem(
          column.name(),
          "both '%s' and '%s' in it seem to mean %s"
              .formatted(other, word, meaning.get().name().toLowerCase(Locale.ROOT)),
          "write the layout in code, with the word of each: Statuses.of(pending, delivered, dead)"
              + ".withWaiting(...)");
      return false;
    }
    return true;
  }

  private Statuses statuses() {
    List<String> usual = new ArrayList<>();
    String pending = wordOr(Meaning.PENDING, "pending", usual);
    String delivered = wordOr(Meaning.DELIVERED, deliveredWord(), usual);
    String dead = wordOr(Meaning.DEAD, "failed", usual);
    if (!usual.isEmpty()) {
      findings.remark(
          ("no row has %s in %s yet: that is what other tables say; if your code writes another"
                  + " word, change it: .withStatuses(...)")
              .formatted(String.join(", ", usual), column.name()));
    }
    if (!words.containsKey(Meaning.PROCESSING) && column.allowed().isEmpty()) {
      findings.remark(
          ("no row has a word for being worked on in %s; if your code writes one, say so, or rows"
                  + " that it left behind are never taken over: .withProcessing(...)")
              .formatted(column.name()));
    }
    return new Statuses(
        pending,
        Optional.ofNullable(words.get(Meaning.PROCESSING)),
        Optional.ofNullable(words.get(Meaning.WAITING)),
        delivered,
        dead);
  }

  private String wordOr(Meaning meaning, String word, List<String> usual) {
    @Nullable String there = words.get(meaning);
    if (there != null) {
      return there;
    }
    String cased = inTheirCase(word);
    usual.add("'%s'".formatted(cased));
    return cased;
  }

  /** Returns "published" for a column {@code published_at}. */
  private String deliveredWord() {
    return settledAt
        .map(name -> FieldNames.plain(name).replaceAll("(at|on)$", ""))
        .filter(Meaning.DELIVERED::has)
        .orElse("delivered");
  }

  private String inTheirCase(String word) {
    String sample = words.values().stream().findFirst().orElse("A");
    if (sample.equals(sample.toLowerCase(Locale.ROOT))) {
      return word;
    }
    if (sample.equals(sample.toUpperCase(Locale.ROOT))) {
      return word.toUpperCase(Locale.ROOT);
    }
    return word.substring(0, 1).toUpperCase(Locale.ROOT) + word.substring(1);
  }
}
