package io.postroad.postgres.internal.append;

import io.postroad.layout.Field;
import io.postroad.message.Message;
import io.postroad.postgres.internal.adopt.AdoptedColumns;
import io.postroad.postgres.internal.jdbc.SqlTimes;
import io.postroad.postgres.internal.schema.TableCatalog.Column;
import java.util.Locale;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.regex.Pattern;

/** Refuses messages that a team's table cannot hold, before anything is written. */
public final class AppendCheck implements Consumer<Message> {
  private static final Pattern NUMBER = Pattern.compile("-?\\d{1,18}");
  private static final int LENGTH_OF_UUID = 36;

  private final AdoptedColumns columns;

  public AppendCheck(AdoptedColumns columns) {
    this.columns = columns;
  }

  @Override
  public void accept(Message message) {
    SqlTimes.requireStorable(message);
    Optional<Column> id = columns.own(Field.ID).filter(Column::isText);
    if (id.isPresent() && id.get().maxLength() > 0 && id.get().maxLength() < LENGTH_OF_UUID) {
      throw refused(message, id.get(), "an id has %d characters".formatted(LENGTH_OF_UUID));
    }
    check(message, Field.CATEGORY, each -> Optional.of(each.category().wireName()));
    check(message, Field.TYPE, each -> Optional.of(each.type()));
    check(message, Field.DESTINATION, each -> Optional.of(each.destination()));
    check(message, Field.AGGREGATE_TYPE, Message::aggregateType);
    check(message, Field.AGGREGATE_ID, Message::aggregateId);
    check(message, Field.KEY, Message::key);
    check(message, Field.TENANT, Message::tenant);
    check(message, Field.DEDUPLICATION_KEY, Message::deduplicationKey);
    check(message, Field.CONTENT_TYPE, each -> Optional.of(each.payload().contentType()));
    checkPayload(message);
  }

  private void check(Message message, Field field, Function<Message, Optional<String>> part) {
    Optional<Column> own = columns.own(field);
    if (own.isEmpty()) {
      return;
    }
    Column column = own.get();
    Optional<String> value = part.apply(message);
    if (value.isEmpty()) {
      if (column.notNull() && !column.isText()) {
        throw refused(
            message, column, "it must not be empty; give the message a %s".formatted(name(field)));
      }
      return;
    }
    String text = value.get();
    if (column.maxLength() > 0 && text.codePointCount(0, text.length()) > column.maxLength()) {
      throw refused(
          message,
          column,
          "the %s has %d characters, the column takes %d"
              .formatted(name(field), text.codePointCount(0, text.length()), column.maxLength()));
    }
    if (column.isNumber() && !NUMBER.matcher(text).matches()) {
      throw refused(message, column, "the %s '%s' is no number".formatted(name(field), text));
    }
    if (column.isUuid() && !isUuid(text)) {
      throw refused(message, column, "the %s '%s' is no UUID".formatted(name(field), text));
    }
  }

  private void checkPayload(Message message) {
    Column column = columns.own(Field.PAYLOAD).orElseThrow();
    boolean json = message.payload().contentType().contains("json");
    if (column.isJson() && message.payload().isText() && !json) {
      throw refused(
          message, column, "it keeps JSON and the payload is " + message.payload().contentType());
    }
    int longest = column.maxLength();
    if (longest > 0 && message.payload().size() > longest) {
      throw refused(
          message,
          column,
          "the payload has %d bytes, the column takes %d characters"
              .formatted(message.payload().size(), longest));
    }
  }

  private static boolean isUuid(String text) {
    try {
      return text.equalsIgnoreCase(UUID.fromString(text).toString());
    } catch (IllegalArgumentException none) {
      return false;
    }
  }

  private static String name(Field field) {
    return field.name().toLowerCase(Locale.ROOT).replace('_', ' ');
  }

  private IllegalArgumentException refused(Message message, Column column, String why) {
    return new IllegalArgumentException(
        "message %s does not fit column %s (%s) of %s: %s; nothing was written"
            .formatted(message.id(), column.name(), column.type(), columns.catalog().table(), why));
  }
}
