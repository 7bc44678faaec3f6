package io.postroad.postgres.internal.append;

import io.postroad.message.Message;
import io.postroad.message.MessageCategory;
import io.postroad.message.Payload;
import io.postroad.postgres.internal.jdbc.RepeatedTexts;
import io.postroad.spi.HeaderBlock;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Reads a message from the columns of {@link #READ}, which begin a result row. */
public final class MessageColumns {
  public static final List<String> NAMES =
      List.of(
          "outbox_id",
          "category",
          "type",
          "aggregate_type",
          "aggregate_id",
          "message_key",
          "destination",
          "tenant",
          "schema_version",
          "headers",
          "content_type",
          "payload",
          "payload_bytes",
          "dedup_key",
          "not_before",
          "created_at");

  /** The columns, for an insert. */
  public static final String WRITE = String.join(", ", NAMES);

  /** The columns of a table or subquery {@code q}. */
  public static final String READ =
      NAMES.stream().map("q."::concat).collect(Collectors.joining(", "));

  /**
   * {@link #READ} with {@code created_at} in microseconds since 1970: the driver spends as much on
   * a time as on all the rest of a row. As a double it is exact until the year 2255.
   */
  public static final String READ_QUICKLY =
      READ.replace("q.created_at", "CAST(date_part('epoch', q.created_at) * 1000000 AS bigint)");

  /** How many columns {@link #READ} has; what else a statement returns comes after them. */
  public static final int COUNT = NAMES.size();

  private MessageColumns() {}

  public static UUID id(ResultSet row) throws SQLException {
    return row.getObject(1, UUID.class);
  }

  /**
   * The message of a row.
   *
   * @throws IllegalArgumentException when the row was edited into an invalid message
   */
  public static Message message(ResultSet row) throws SQLException {
    return message(row, new RepeatedTexts());
  }

  /** {@link #message(ResultSet)} of one of many rows. */
  public static Message message(ResultSet row, RepeatedTexts texts) throws SQLException {
    Message.Builder message =
        Message.of(MessageCategory.ofWireName(texts.required(row, 2)), texts.required(row, 3))
            .id(id(row))
            .to(texts.required(row, 7))
            .schemaVersion(row.getInt(9))
            .headers(HeaderBlock.decode(texts.required(row, 10)))
            .payload(payload(row, texts));
    @Nullable String aggregateType = texts.get(row, 4);
    @Nullable String aggregateId = row.getString(5);
    if (aggregateType != null && aggregateId != null) {
      message.aggregate(aggregateType, aggregateId);
    }
    @Nullable String key = row.getString(6);
    if (key != null) {
      message.key(key);
    }
    @Nullable String tenant = texts.get(row, 8);
    if (tenant != null) {
      message.tenant(tenant);
    }
    @Nullable String deduplicationKey = row.getString(14);
    if (deduplicationKey != null) {
      message.deduplicationKey(deduplicationKey);
    }
    @Nullable OffsetDateTime notBefore = row.getObject(15, OffsetDateTime.class);
    if (notBefore != null) {
      message.notBefore(notBefore.toInstant());
    }
    return message.build();
  }

  public static Instant appendedAt(ResultSet row) throws SQLException {
    return instant(row, 16);
  }

  /** {@link #appendedAt} of a row of {@link #READ_QUICKLY}. */
  public static Instant appendedAtMicros(ResultSet row) throws SQLException {
    return Instant.EPOCH.plus(row.getLong(16), ChronoUnit.MICROS);
  }

  public static Instant instant(ResultSet row, int column) throws SQLException {
    return row.getObject(column, OffsetDateTime.class).toInstant();
  }

  private static Payload payload(ResultSet row, RepeatedTexts texts) throws SQLException {
    String contentType = texts.required(row, 11);
    // The driver gives the UTF-8 of a text as it came; most relays never need it decoded.
    byte @Nullable [] text = row.getBytes(12);
    if (text != null) {
      return Payload.utf8(text, contentType);
    }
    byte @Nullable [] bytes = row.getBytes(13);
    if (bytes == null) {
      throw new IllegalArgumentException("it has neither payload nor payload_bytes");
    }
    return Payload.bytes(bytes, contentType);
  }
}
