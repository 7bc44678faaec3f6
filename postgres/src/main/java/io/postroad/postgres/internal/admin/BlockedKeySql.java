package io.postroad.postgres.internal.admin;

import io.postroad.postgres.PostgresOptions;
import io.postroad.postgres.internal.log.BlockedMessageSql;
import io.postroad.postgres.internal.log.LogSql;

/** The statements that look at parked keys. */
public final class BlockedKeySql {
  private static final String KEYS =
      """
      SELECT k.destination, k.order_key, k.lane, first.outbox_id, k.parked_at,
        COALESCE(first.last_error, ''), (
          SELECT count(*)
          FROM (
            SELECT 1
            FROM ${held} AS h
            WHERE h.lane = k.lane AND h.destination = k.destination
              AND h.order_key = k.order_key
            LIMIT ${limit}) AS line)
      FROM (
        SELECT *
        FROM ${held_key} AS k
        WHERE k.parked_at IS NOT NULL AND k.order_key LIKE 'key/%'
          AND (k.destination COLLATE "C", k.order_key COLLATE "C") > (?, ?)
        ORDER BY k.destination COLLATE "C", k.order_key COLLATE "C"
        LIMIT ?) AS k
      CROSS JOIN LATERAL (
        SELECT h.outbox_id, h.last_error
        FROM ${held} AS h
        WHERE h.lane = k.lane AND h.destination = k.destination AND h.order_key = k.order_key
        ORDER BY h.pos
        LIMIT 1) AS first
      ORDER BY k.destination COLLATE "C", k.order_key COLLATE "C"
      """;

  private static final String PARKED =
      """
      SELECT
        (SELECT count(*) FROM (
          SELECT 1
          FROM ${held_key} AS k
          WHERE k.parked_at IS NOT NULL AND k.order_key LIKE 'key/%'
          ORDER BY k.parked_at
          LIMIT ${limit}) AS keys),
        (SELECT count(*) FROM (
          SELECT 1
          FROM (
            SELECT *
            FROM ${held_key} AS k
            WHERE k.parked_at IS NOT NULL AND k.order_key LIKE 'key/%'
            ORDER BY k.parked_at
            LIMIT ${limit}) AS k
          CROSS JOIN LATERAL (
            SELECT 1
            FROM ${held} AS h
            WHERE h.lane = k.lane AND h.destination = k.destination
              AND h.order_key = k.order_key
            LIMIT ${limit}) AS h
          LIMIT ${limit}) AS messages),
        (SELECT CAST(extract(epoch FROM ${now} - k.parked_at) * 1000000 AS bigint)
          FROM ${held_key} AS k
          WHERE k.parked_at IS NOT NULL AND k.order_key LIKE 'key/%'
          ORDER BY k.parked_at
          LIMIT 1)
      """;

  final String keys;
  final String parked;

  public BlockedKeySql(PostgresOptions options) {
    keys = LogSql.filled(BlockedMessageSql.LOOKUPS + KEYS, options);
    parked = LogSql.filled(BlockedMessageSql.LOOKUPS + PARKED, options);
  }
}
