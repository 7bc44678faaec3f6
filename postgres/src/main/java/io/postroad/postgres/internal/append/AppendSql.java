package io.postroad.postgres.internal.append;

import io.postroad.postgres.PostgresOptions;
import io.postroad.postgres.internal.adopt.AdoptedSql;
import io.postroad.postgres.internal.queue.OutboxSql;
import java.util.Optional;

/** The statements of append, which run on the caller's connection and change no setting of it. */
public final class AppendSql {
  private static final String APPEND_ONE =
      """
      INSERT INTO ${queue} (${bound}, created_at, available_at)
      VALUES (${parameters}, ${now}, GREATEST(${now}, CAST(? AS timestamptz)))
      ON CONFLICT (outbox_id) DO NOTHING
      """;

  private static final String APPEND_MANY =
      """
      INSERT INTO ${queue} (${bound}, created_at, available_at)
      SELECT m.*, ${now}, GREATEST(${now}, m.not_before)
      FROM unnest(${arrays}) AS m(${bound})
      ON CONFLICT (outbox_id) DO NOTHING
      RETURNING outbox_id
      """;

  private static final String FORGET_MESSAGES =
      """
      DELETE FROM ${queue}
      WHERE outbox_id = ANY (CAST(CAST(? AS text[]) AS uuid[]))
      """;

  // A key that is taken is locked even where the WHERE is false, so it cannot be purged before its
  // holder is read.
  private static final String TAKE_KEYS =
      """
      INSERT INTO ${dedup} AS d (dedup_key, outbox_id, expires_at)
      SELECT k.dedup_key, k.outbox_id, ${now} + w.micros * INTERVAL '1 microsecond'
      FROM unnest(CAST(? AS text[]), CAST(CAST(? AS text[]) AS uuid[])) AS k(dedup_key, outbox_id),
        (VALUES (CAST(? AS bigint))) AS w(micros)
      ON CONFLICT (dedup_key) DO UPDATE
      SET outbox_id = excluded.outbox_id, expires_at = excluded.expires_at
      WHERE d.expires_at <= ${now}
      RETURNING d.dedup_key
      """;

  private static final String KEY_HOLDERS =
      """
      SELECT dedup_key, outbox_id
      FROM ${dedup}
      WHERE dedup_key = ANY (CAST(? AS text[]))
      """;

  private static final String FORGET_KEYS =
      """
      DELETE FROM ${dedup}
      WHERE dedup_key = ANY (CAST(? AS text[]))
      """;

  final String appendOne;
  final String appendMany;
  final String forgetMessages;
  final String takeKeys;
  final String keyHolders;
  final String forgetKeys;

  /** The holders of keys in the table of the messages, if that keeps them unique. */
  final Optional<String> keyHoldersInTable;

  public AppendSql(PostgresOptions options) {
    appendOne = OutboxSql.filled(MessageBinding.bound(APPEND_ONE), options);
    appendMany = OutboxSql.filled(MessageBinding.bound(APPEND_MANY), options);
    forgetMessages = OutboxSql.filled(FORGET_MESSAGES, options);
    takeKeys = OutboxSql.filled(TAKE_KEYS, options);
    keyHolders = OutboxSql.filled(KEY_HOLDERS, options);
    forgetKeys = OutboxSql.filled(FORGET_KEYS, options);
    keyHoldersInTable = Optional.empty();
  }

  /** Into a table of a team. */
  public AppendSql(AdoptedSql adopted, PostgresOptions options) {
    appendOne = adopted.appendOne();
    appendMany = adopted.appendMany();
    forgetMessages = adopted.forget();
    takeKeys = OutboxSql.filled(TAKE_KEYS, options);
    keyHolders = OutboxSql.filled(KEY_HOLDERS, options);
    forgetKeys = OutboxSql.filled(FORGET_KEYS, options);
    keyHoldersInTable = adopted.keyHolders();
  }
}
