-- Postroad's outbox. Names are resolved by the search path; ${prefix} begins every name.
--
-- category is command, reply or event; status is PENDING, DISPATCHED or FAILED; one of payload and
-- payload_bytes is set. No CHECK constraints say so: PostgreSQL reads them anew for every statement,
-- which made up almost half of the server's time for an insert.

CREATE TABLE ${prefix}outbox_queue (
  outbox_id      uuid        CONSTRAINT ${prefix}outbox_queue_pkey PRIMARY KEY,
  category       text        NOT NULL,
  type           text        NOT NULL,
  aggregate_type text,
  aggregate_id   text,
  message_key    text,
  destination    text        NOT NULL,
  tenant         text,
  schema_version integer     NOT NULL,
  headers        text        NOT NULL,
  content_type   text        NOT NULL,
  payload        text,
  payload_bytes  bytea,
  dedup_key      text,
  not_before     timestamptz,
  created_at     timestamptz NOT NULL,
  status         text        NOT NULL DEFAULT 'PENDING',
  available_at   timestamptz NOT NULL,
  attempt        integer     NOT NULL DEFAULT 0,
  lease_token    bigint      NOT NULL DEFAULT 0,
  lease_owner    text,
  last_error     text,
  settled_at     timestamptz
) WITH (
  -- Every message is updated twice and then deleted: vacuum early and without pauses.
  autovacuum_vacuum_scale_factor = 0.02,
  autovacuum_vacuum_threshold = 1000,
  autovacuum_vacuum_cost_delay = 0,
  autovacuum_analyze_scale_factor = 0.05,
  autovacuum_analyze_threshold = 1000
);

COMMENT ON TABLE ${prefix}outbox_queue IS
  'Postroad: one row per message. Read it through the view ${prefix}outbox.';
COMMENT ON COLUMN ${prefix}outbox_queue.available_at IS
  'When it may be claimed: its due time, or the end of its lease while lease_owner is set.';
COMMENT ON COLUMN ${prefix}outbox_queue.lease_token IS
  'Rises with every claim; a settle counts only with the latest one.';

CREATE INDEX ${prefix}outbox_queue_due_idx
  ON ${prefix}outbox_queue (available_at) WHERE status = 'PENDING';
CREATE INDEX ${prefix}outbox_queue_dispatched_idx
  ON ${prefix}outbox_queue (settled_at) WHERE status = 'DISPATCHED';
CREATE INDEX ${prefix}outbox_queue_failed_idx
  ON ${prefix}outbox_queue (settled_at) WHERE status = 'FAILED';

CREATE TABLE ${prefix}outbox_dedup (
  dedup_key  text        CONSTRAINT ${prefix}outbox_dedup_pkey PRIMARY KEY,
  outbox_id  uuid        NOT NULL,
  expires_at timestamptz NOT NULL
) WITH (
  autovacuum_vacuum_scale_factor = 0.05,
  autovacuum_vacuum_threshold = 1000
);

COMMENT ON TABLE ${prefix}outbox_dedup IS
  'Postroad: deduplication keys and the message that holds them, kept apart so that purging messages does not forget them.';

CREATE INDEX ${prefix}outbox_dedup_expires_idx ON ${prefix}outbox_dedup (expires_at);

CREATE VIEW ${prefix}outbox AS
SELECT
  outbox_id,
  category,
  destination,
  payload,
  status,
  attempt AS retry_count,
  created_at,
  type,
  aggregate_type,
  aggregate_id,
  message_key,
  tenant,
  schema_version,
  headers,
  content_type,
  payload_bytes,
  dedup_key,
  not_before,
  CASE WHEN status = 'PENDING' AND lease_owner IS NULL THEN available_at END AS due_at,
  lease_owner,
  CASE WHEN lease_owner IS NOT NULL THEN available_at END AS lease_until,
  last_error,
  settled_at
FROM ${prefix}outbox_queue;

COMMENT ON VIEW ${prefix}outbox IS
  'Postroad: every message with its status. PENDING with a lease_owner is being delivered until lease_until.';
