package io.postroad.test;

import io.postroad.message.Message;
import io.postroad.spi.LaneBatch;
import io.postroad.spi.LaneEntry;
import io.postroad.test.Position.Window;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;

/** The committed messages of a lane, and how they are read. Guarded by the database's lock. */
final class LaneLog {
  private final NavigableMap<Long, LogRow> byPlace = new TreeMap<>();
  private final NavigableMap<Long, List<LogRow>> byCommit = new TreeMap<>();

  void add(LogRow row) {
    byPlace.put(row.place(), row);
    byCommit.computeIfAbsent(row.commit(), commit -> new ArrayList<>()).add(row);
  }

  void remove(LogRow row) {
    byPlace.remove(row.place());
    byCommit.computeIfPresent(
        row.commit(),
        (commit, rows) -> {
          rows.remove(row);
          return rows.isEmpty() ? null : rows;
        });
  }

  void remove(long place) {
    Optional.ofNullable(byPlace.get(place)).ifPresent(this::remove);
  }

  void replace(long place, Message replacement) {
    Optional.ofNullable(byPlace.get(place))
        .ifPresent(
            row -> {
              remove(row);
              add(row.with(replacement));
            });
  }

  Collection<LogRow> rows() {
    return byPlace.values();
  }

  /**
   * Reads on, as one statement does that sees all commits up to {@code latest}: first the
   * stragglers, which have lower places than everything that is read forward.
   *
   * @param firstOpen no transaction that is still open has a place below this one
   */
  LaneBatch read(Position from, int limit, long latest, long firstOpen) {
    boolean continued = from.window() != null;
    Window window =
        Objects.requireNonNullElseGet(
            from.window(), () -> new Window(latest, 0, Math.min(from.head(), firstOpen - 1)));
    List<LogRow> stragglers = stragglers(from, window);
    List<LaneEntry> entries = new ArrayList<>();
    for (LogRow row : stragglers.subList(0, Math.min(limit, stragglers.size()))) {
      boolean last = entries.size() == stragglers.size() - 1;
      entries.add(entry(row, last ? from.after(window) : from.within(window, row.place())));
    }
    if (!continued) {
      forward(from)
          .limit(limit - entries.size())
          .map(row -> entry(row, Position.at(row.place(), latest, firstOpen)))
          .forEach(entries::add);
    }
    return new LaneBatch(
        entries,
        entries.isEmpty() ? from.after(window) : entries.get(entries.size() - 1).position(),
        continued || entries.size() == limit);
  }

  private static LaneEntry entry(LogRow row, Position position) {
    return new LaneEntry(row.firstAttempt(), position);
  }

  private List<LogRow> stragglers(Position from, Window window) {
    return byCommit.subMap(from.snapshot(), false, window.snapshot(), true).values().stream()
        .flatMap(List::stream)
        .filter(row -> row.place() <= from.head() && row.place() > window.after())
        .sorted(Comparator.comparingLong(LogRow::place))
        .toList();
  }

  private Stream<LogRow> forward(Position from) {
    return byPlace.tailMap(from.head(), false).values().stream();
  }
}
