package io.postroad.layout;

import java.time.Duration;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Layout of messages in an existing table or collection. Immutable; begin with one of {@link
 * Layouts} or with {@link #of}.
 *
 * <pre>{@code
 * Layout layout = Layout.of("orders", "order_events", Statuses.of("NEW", "SENT", "ERROR"))
 *     .with(Field.ID, "event_id")
 *     .with(Field.PAYLOAD, "body")
 *     .with(Field.STATUS, "state")
 *     .with(Field.DESTINATION, "topic");
 * }</pre>
 *
 * <p>A field without a column is added to the table as {@link Field#addedName()}, empty for
 * existing rows; nothing else of the table changes. A row without a value for a field has the value
 * of its {@link Fallback}.
 *
 * <p>The relay decides when a message is dead. {@link #executions()} is the number that the owners
 * of the table had, for {@code RelayOptions.maxAttempts}.
 */
public final class Layout {
  private static final Duration STRANGERS_AFTER = Duration.ofMinutes(5);

  private final String name;
  private final String table;
  private final Statuses statuses;
  private final Map<Field, String> columns;
  private final Map<Field, Fallback> fallbacks;
  private final Rules rules;

  /** All settings that are not names; changed only in a fresh copy. */
  private static final class Rules {
    private PayloadForm payload = PayloadForm.TEXT;
    private Counting counting = Counting.AT_FAILURE;
    private ZoneId zone = ZoneOffset.UTC;
    private Duration minAge = Duration.ZERO;
    private Duration strangersAfter = STRANGERS_AFTER;
    private boolean exclusive;
    private int executions = 8;
    private boolean revivesFailed;
    private boolean rowsAreDelivered;
    private boolean ordered;

    Rules copy() {
      Rules copy = new Rules();
      copy.payload = payload;
      copy.counting = counting;
      copy.zone = zone;
      copy.minAge = minAge;
      copy.strangersAfter = strangersAfter;
      copy.exclusive = exclusive;
      copy.executions = executions;
      copy.revivesFailed = revivesFailed;
      copy.rowsAreDelivered = rowsAreDelivered;
      copy.ordered = ordered;
      return copy;
    }

    List<Object> values() {
      return List.of(
          payload,
          counting,
          zone,
          minAge,
          strangersAfter,
          exclusive,
          executions,
          revivesFailed,
          rowsAreDelivered,
          ordered);
    }
  }

  private Layout(
      String name,
      String table,
      Statuses statuses,
      Map<Field, String> columns,
      Map<Field, Fallback> fallbacks,
      Rules rules) {
    this.name = name;
    this.table = table;
    this.statuses = statuses;
    this.columns = columns;
    this.fallbacks = fallbacks;
    this.rules = rules;
  }

  /**
   * Creates a layout with the words of its statuses only.
   *
   * @param name for logs and errors
   * @param table the table or collection
   */
  public static Layout of(String name, String table, Statuses statuses) {
    requireText("name", name);
    requireText("table", table);
    Map<Field, Fallback> fallbacks = new EnumMap<>(Field.class);
    fallbacks.put(Field.CATEGORY, Fallback.to("event"));
    fallbacks.put(Field.SCHEMA_VERSION, Fallback.to("1"));
    fallbacks.put(Field.CONTENT_TYPE, Fallback.to("application/json"));
    fallbacks.put(Field.TYPE, Fallback.to(Field.DESTINATION));
    return new Layout(name, table, statuses, new EnumMap<>(Field.class), fallbacks, new Rules());
  }

  /** Returns the same layout with a field in this column. */
  public Layout with(Field field, String column) {
    requireText("the column of " + field, column);
    Map<Field, String> more = new EnumMap<>(Field.class);
    more.putAll(columns);
    more.put(field, column);
    return new Layout(name, table, statuses, more, fallbacks, rules);
  }

  /**
   * Returns the same layout with the value of a field for rows without one. Drops a fallback that
   * would lead from there back to this field.
   */
  public Layout with(Field field, Fallback fallback) {
    Map<Field, Fallback> more = new EnumMap<>(Field.class);
    more.putAll(fallbacks);
    more.put(field, fallback);
    Optional<Field> next = fallback.of();
    while (next.isPresent()) {
      Field at = next.get();
      next = Optional.ofNullable(more.get(at)).flatMap(Fallback::of);
      if (next.equals(Optional.of(field))) {
        more.remove(at);
        next = Optional.empty();
      }
    }
    return new Layout(name, table, statuses, columns, more, rules);
  }

  /** Returns the same layout for a table of another name. */
  public Layout withTable(String newTable) {
    requireText("table", newTable);
    return new Layout(name, newTable, statuses, columns, fallbacks, rules);
  }

  /** Returns the same layout with other words. */
  public Layout withStatuses(Statuses newStatuses) {
    return new Layout(name, table, newStatuses, columns, fallbacks, rules);
  }

  public Layout withPayload(PayloadForm payload) {
    return with(changed -> changed.payload = payload);
  }

  public Layout withCounting(Counting counting) {
    return with(changed -> changed.counting = counting);
  }

  /** Sets the zone of times that are stored without one. */
  public Layout withZone(ZoneId zone) {
    return with(changed -> changed.zone = zone);
  }

  /** Sets the age before which no message is claimed. */
  public Layout withMinAge(Duration minAge) {
    requireNotNegative("minAge", minAge);
    return with(changed -> changed.minAge = minAge);
  }

  /** Sets the time after which a claim without a lease, by other code, is taken over. */
  public Layout withStrangersAfter(Duration strangersAfter) {
    requireNotNegative("strangersAfter", strangersAfter);
    return with(changed -> changed.strangersAfter = strangersAfter);
  }

  /** Whether only one node at a time may claim. */
  public Layout withExclusive(boolean exclusive) {
    return with(changed -> changed.exclusive = exclusive);
  }

  public Layout withExecutions(int executions) {
    if (executions < 1) {
      throw new IllegalArgumentException("executions must be at least 1, got " + executions);
    }
    return with(changed -> changed.executions = executions);
  }

  /** Whether a dead row that was tried less often than {@link #executions()} is tried again. */
  public Layout withRevivesFailed(boolean revivesFailed) {
    return with(changed -> changed.revivesFailed = revivesFailed);
  }

  /**
   * For a table without a status column: whether existing rows count as delivered when that column
   * is added. By default they do not, and are delivered (perhaps once more).
   */
  public Layout withRowsAreDelivered(boolean rowsAreDelivered) {
    return with(changed -> changed.rowsAreDelivered = rowsAreDelivered);
  }

  /**
   * Whether messages of one key to one destination are sent in order. No message is claimed while
   * an earlier one is undelivered, and a dead one blocks its key until it is replayed or discarded.
   * The order is that of the inserts: the database draws a number for each row, in a column that is
   * added. Rows from before that go first, by their ids if those are numbers, otherwise by their
   * creation times. On PostgreSQL only.
   */
  public Layout withOrdered(boolean ordered) {
    return with(changed -> changed.ordered = ordered);
  }

  private Layout with(Consumer<Rules> change) {
    Rules changed = rules.copy();
    change.accept(changed);
    return new Layout(name, table, statuses, columns, fallbacks, changed);
  }

  /** Returns the name for logs and errors. */
  public String name() {
    return name;
  }

  /** Returns the name of the table or collection. */
  public String table() {
    return table;
  }

  public Statuses statuses() {
    return statuses;
  }

  /** Returns the column that the table has for a field. */
  public Optional<String> column(Field field) {
    return Optional.ofNullable(columns.get(field));
  }

  /** Returns the column of a field, the table's own or the added one. */
  public String columnOrAdded(Field field) {
    @Nullable String own = columns.get(field);
    return own != null ? own : field.addedName();
  }

  /** Returns the table's own columns, by field. */
  public Map<Field, String> columns() {
    return Map.copyOf(columns);
  }

  public Optional<Fallback> fallback(Field field) {
    return Optional.ofNullable(fallbacks.get(field));
  }

  public PayloadForm payload() {
    return rules.payload;
  }

  public Counting counting() {
    return rules.counting;
  }

  /** Returns the zone of times that are stored without one; default UTC. */
  public ZoneId zone() {
    return rules.zone;
  }

  /** Returns the age before which no message is claimed; default zero. */
  public Duration minAge() {
    return rules.minAge;
  }

  /** Returns the time after which a claim without a lease is taken over; default 5 minutes. */
  public Duration strangersAfter() {
    return rules.strangersAfter;
  }

  /** Whether only one node at a time may claim; default false. */
  public boolean exclusive() {
    return rules.exclusive;
  }

  /** Returns the number of attempts before a message is dead; default 8. */
  public int executions() {
    return rules.executions;
  }

  /** Whether dead rows that were tried less often are tried again. */
  public boolean revivesFailed() {
    return rules.revivesFailed;
  }

  /** Whether messages of one key are sent in order; default false. */
  public boolean ordered() {
    return rules.ordered;
  }

  /** Returns the status of rows that exist when a status column is added. */
  public String statusOfRowsWithoutOne() {
    return rules.rowsAreDelivered ? statuses.delivered() : statuses.pending();
  }

  /**
   * Refuses a layout that lacks a required field.
   *
   * @throws IllegalArgumentException naming the field
   */
  public Layout checked() {
    for (Field field : Field.values()) {
      if (field.isRequired() && !columns.containsKey(field)) {
        throw new IllegalArgumentException(
            "layout '%s' does not say in which column of %s the %s is; add .with(Field.%s, ...)"
                .formatted(name, table, field, field));
      }
    }
    if (!columns.containsKey(Field.DESTINATION) && !fallbacks.containsKey(Field.DESTINATION)) {
      throw new IllegalArgumentException(
          "layout '%s' does not say where messages of %s go; add .with(Field.DESTINATION, column)"
                  .formatted(name, table)
              + " or .with(Field.DESTINATION, Fallback.to(\"topic\"))");
    }
    if (new TreeSet<>(columns.values()).size() < columns.size()) {
      throw new IllegalArgumentException(
          "layout '%s' names a column of %s for two fields: %s".formatted(name, table, columns));
    }
    return this;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Layout that
        && name.equals(that.name)
        && table.equals(that.table)
        && statuses.equals(that.statuses)
        && columns.equals(that.columns)
        && fallbacks.equals(that.fallbacks)
        && rules.values().equals(that.rules.values());
  }

  @Override
  public int hashCode() {
    return Objects.hash(name, table, statuses, columns, fallbacks, rules.values());
  }

  @Override
  public String toString() {
    return "layout '%s' of %s".formatted(name, table);
  }

  private static void requireText(String what, String text) {
    if (text.isBlank()) {
      throw new IllegalArgumentException(what + " of a layout must not be blank");
    }
  }

  private static void requireNotNegative(String what, Duration duration) {
    if (duration.isNegative()) {
      throw new IllegalArgumentException(
          "Layout.%s must not be negative, got %s".formatted(what, duration));
    }
  }
}
