-- Postroad's outbox, inbox and commands. Names are resolved by the search path; ${prefix} begins every name. ${lanes} is
-- how many lanes the ordered outbox has, for ever.
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
  settled_at     timestamptz,
  aside_at       timestamptz
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
COMMENT ON COLUMN ${prefix}outbox_queue.aside_at IS
  'Since when it waits until its destination is open again, available_at being in the year 9999.';

CREATE INDEX ${prefix}outbox_queue_due_idx
  ON ${prefix}outbox_queue (available_at) WHERE status = 'PENDING';
CREATE INDEX ${prefix}outbox_queue_dispatched_idx
  ON ${prefix}outbox_queue (settled_at) WHERE status = 'DISPATCHED';
-- A dead letter that somebody made by hand may lack settled_at.
CREATE INDEX ${prefix}outbox_queue_failed_idx
  ON ${prefix}outbox_queue (COALESCE(settled_at, created_at), outbox_id) WHERE status = 'FAILED';
CREATE INDEX ${prefix}outbox_queue_aside_idx
  ON ${prefix}outbox_queue (destination COLLATE "C", aside_at) WHERE aside_at IS NOT NULL;

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

-- The ordered outbox: a log that is only inserted into, read by lanes, emptied by TRUNCATE.

CREATE SEQUENCE ${prefix}outbox_log_pos CACHE 1;

-- A transaction must have its xid before it draws a pos: a reader who has seen a pos then knows that
-- every lower one belongs to an xid that was assigned by then. The CASE is what keeps that order.
CREATE TABLE ${prefix}outbox_log_0 (
  lane           smallint    NOT NULL,
  xid            xid8        NOT NULL DEFAULT pg_current_xact_id(),
  pos            bigint      NOT NULL DEFAULT
    CASE WHEN pg_current_xact_id() IS NULL THEN NULL ELSE nextval('${prefix}outbox_log_pos') END,
  outbox_id      uuid        NOT NULL,
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
  CONSTRAINT ${prefix}outbox_log_0_pkey PRIMARY KEY (lane, pos)
) WITH (
  -- Only a person's decision updates or deletes anything, and everything is truncated in the end.
  autovacuum_vacuum_insert_threshold = -1,
  autovacuum_analyze_scale_factor = 0.5
);

COMMENT ON TABLE ${prefix}outbox_log_0 IS
  'Postroad: messages of the ordered outbox, one of three tables in turn. Read them through the view ${prefix}outbox.';

CREATE INDEX ${prefix}outbox_log_0_xid_idx ON ${prefix}outbox_log_0 (xid, pos);
CREATE INDEX ${prefix}outbox_log_0_id_idx
  ON ${prefix}outbox_log_0 USING brin (outbox_id) WITH (autosummarize = on);

CREATE TABLE ${prefix}outbox_log_1 (
  LIKE ${prefix}outbox_log_0 INCLUDING DEFAULTS,
  CONSTRAINT ${prefix}outbox_log_1_pkey PRIMARY KEY (lane, pos)
) WITH (
  autovacuum_vacuum_insert_threshold = -1,
  autovacuum_analyze_scale_factor = 0.5
);

CREATE INDEX ${prefix}outbox_log_1_xid_idx ON ${prefix}outbox_log_1 (xid, pos);
CREATE INDEX ${prefix}outbox_log_1_id_idx
  ON ${prefix}outbox_log_1 USING brin (outbox_id) WITH (autosummarize = on);

CREATE TABLE ${prefix}outbox_log_2 (
  LIKE ${prefix}outbox_log_0 INCLUDING DEFAULTS,
  CONSTRAINT ${prefix}outbox_log_2_pkey PRIMARY KEY (lane, pos)
) WITH (
  autovacuum_vacuum_insert_threshold = -1,
  autovacuum_analyze_scale_factor = 0.5
);

CREATE INDEX ${prefix}outbox_log_2_xid_idx ON ${prefix}outbox_log_2 (xid, pos);
CREATE INDEX ${prefix}outbox_log_2_id_idx
  ON ${prefix}outbox_log_2 USING brin (outbox_id) WITH (autosummarize = on);

CREATE VIEW ${prefix}outbox_log AS
SELECT * FROM ${prefix}outbox_log_0
UNION ALL
SELECT * FROM ${prefix}outbox_log_1
UNION ALL
SELECT * FROM ${prefix}outbox_log_2;

CREATE TABLE ${prefix}outbox_lane (
  lane        smallint CONSTRAINT ${prefix}outbox_lane_pkey PRIMARY KEY,
  node        text,
  epoch       bigint   NOT NULL DEFAULT 0,
  lease_until timestamptz,
  unclean     integer  NOT NULL DEFAULT 0,
  decisions   bigint   NOT NULL DEFAULT 0
) WITH (fillfactor = 50);

COMMENT ON TABLE ${prefix}outbox_lane IS
  'Postroad: who owns which lane. Never add or remove a row: a key''s lane depends on their number.';
COMMENT ON COLUMN ${prefix}outbox_lane.unclean IS
  'How many owners in a row let their lease expire without any progress.';
COMMENT ON COLUMN ${prefix}outbox_lane.decisions IS
  'Rises when a person changes what is held back in the lane, so that its owner looks again.';

INSERT INTO ${prefix}outbox_lane (lane) SELECT generate_series(0, ${lanes} - 1);

-- Unlogged, so that a crash of the server, a promotion or a base backup empties it: what an owner
-- remembers may then be ahead of what the database knows, and without a row here it has lost its lane.
CREATE UNLOGGED TABLE ${prefix}outbox_awake (
  lane    smallint    CONSTRAINT ${prefix}outbox_awake_pkey PRIMARY KEY,
  epoch   bigint      NOT NULL,
  started timestamptz NOT NULL,
  taken   xid8        NOT NULL DEFAULT pg_current_xact_id()
);

COMMENT ON TABLE ${prefix}outbox_awake IS
  'Postroad: under which epoch a lane is owned since the server started.';
COMMENT ON COLUMN ${prefix}outbox_awake.taken IS
  'The transaction that wrote the row. In a row that was copied here it differs from xmin, and the lane has no owner.';

-- Positions are only inserted, and the latest is read from the end of the index: old ones are never
-- met, however long a transaction elsewhere keeps them from being vacuumed.
CREATE TABLE ${prefix}outbox_cursor (
  lane            smallint    NOT NULL,
  epoch           bigint      NOT NULL,
  step            bigint      NOT NULL,
  head            bigint      NOT NULL,
  snap            pg_snapshot NOT NULL,
  next_xid        xid8        NOT NULL,
  window_after    bigint,
  window_snap     pg_snapshot,
  window_next_xid xid8,
  floor           bigint      NOT NULL,
  system_id       bigint      NOT NULL,
  timeline        integer     NOT NULL,
  copied_up_to    bigint      NOT NULL DEFAULT 0,
  written_at      timestamptz NOT NULL,
  CONSTRAINT ${prefix}outbox_cursor_pkey PRIMARY KEY (lane, epoch, step)
) WITH (
  autovacuum_vacuum_scale_factor = 0.02,
  autovacuum_vacuum_threshold = 1000
);

COMMENT ON TABLE ${prefix}outbox_cursor IS
  'Postroad: how far each lane is settled; the row with the highest epoch and step counts. Every message with pos up to head that snap sees is settled.';
COMMENT ON COLUMN ${prefix}outbox_cursor.copied_up_to IS
  'Messages up to this pos may have been copied from another server. Their xid means nothing here: they are settled when pos is up to head.';

CREATE TABLE ${prefix}outbox_node (
  node       text        CONSTRAINT ${prefix}outbox_node_pkey PRIMARY KEY,
  seen_until timestamptz NOT NULL
) WITH (fillfactor = 50);

COMMENT ON TABLE ${prefix}outbox_node IS 'Postroad: the relays that were heard of lately.';

CREATE TABLE ${prefix}outbox_held_key (
  lane        smallint    NOT NULL,
  destination text        NOT NULL,
  order_key   text        NOT NULL,
  due_at      timestamptz NOT NULL,
  parked_at   timestamptz,
  aside_at    timestamptz,
  CONSTRAINT ${prefix}outbox_held_key_pkey PRIMARY KEY (lane, destination, order_key)
);

COMMENT ON TABLE ${prefix}outbox_held_key IS
  'Postroad: keys whose messages wait in ${prefix}outbox_held. A dead letter that nobody waits for has a key of its own, id/ and its id.';
COMMENT ON COLUMN ${prefix}outbox_held_key.parked_at IS
  'When the message that is first died: the key waits until a person decides about it. Null when it is alive.';
COMMENT ON COLUMN ${prefix}outbox_held_key.aside_at IS
  'Since when it waits until its destination is open again, due_at being in the year 9999.';

CREATE INDEX ${prefix}outbox_held_key_due_idx
  ON ${prefix}outbox_held_key (lane, due_at) WHERE parked_at IS NULL;
CREATE INDEX ${prefix}outbox_held_key_aside_idx
  ON ${prefix}outbox_held_key (lane, destination COLLATE "C", aside_at) WHERE aside_at IS NOT NULL;
CREATE INDEX ${prefix}outbox_held_key_parked_lane_idx
  ON ${prefix}outbox_held_key (lane, parked_at) WHERE parked_at IS NOT NULL;
CREATE INDEX ${prefix}outbox_held_key_parked_idx
  ON ${prefix}outbox_held_key (parked_at)
  WHERE parked_at IS NOT NULL AND order_key LIKE 'key/%';
CREATE INDEX ${prefix}outbox_held_key_parked_name_idx
  ON ${prefix}outbox_held_key (destination COLLATE "C", order_key COLLATE "C")
  WHERE parked_at IS NOT NULL AND order_key LIKE 'key/%';

CREATE TABLE ${prefix}outbox_held (
  lane           smallint    NOT NULL,
  order_key      text        NOT NULL,
  pos            bigint      NOT NULL,
  outbox_id      uuid        NOT NULL,
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
  status         text        NOT NULL,
  attempt        integer     NOT NULL,
  last_error     text,
  sent_by        text,
  settled_at     timestamptz,
  CONSTRAINT ${prefix}outbox_held_pkey PRIMARY KEY (lane, destination, order_key, pos)
);

COMMENT ON TABLE ${prefix}outbox_held IS
  'Postroad: messages of the ordered outbox that failed, and those of the same key behind them.';
COMMENT ON COLUMN ${prefix}outbox_held.sent_by IS
  'Who is sending it, set before the send: if it kills its relay, that is known.';

CREATE INDEX ${prefix}outbox_held_id_idx ON ${prefix}outbox_held (outbox_id);
CREATE INDEX ${prefix}outbox_held_status_idx ON ${prefix}outbox_held (status, settled_at);
CREATE INDEX ${prefix}outbox_held_failed_idx
  ON ${prefix}outbox_held (COALESCE(settled_at, created_at), outbox_id) WHERE status = 'FAILED';

CREATE TABLE ${prefix}outbox_scheduled (
  lane           smallint    NOT NULL,
  pos            bigint      NOT NULL DEFAULT nextval('${prefix}outbox_log_pos'),
  outbox_id      uuid        NOT NULL,
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
  CONSTRAINT ${prefix}outbox_scheduled_pkey PRIMARY KEY (outbox_id)
);

COMMENT ON TABLE ${prefix}outbox_scheduled IS
  'Postroad: messages of the ordered outbox that take their place in the log when they are due.';

CREATE INDEX ${prefix}outbox_scheduled_due_idx
  ON ${prefix}outbox_scheduled (lane, not_before, pos);

CREATE TABLE ${prefix}outbox_pause (
  destination text        COLLATE "C" CONSTRAINT ${prefix}outbox_pause_pkey PRIMARY KEY,
  paused_at   timestamptz NOT NULL,
  paused_by   text        NOT NULL,
  reason      text        NOT NULL
);

COMMENT ON TABLE ${prefix}outbox_pause IS
  'Postroad: destinations to which nothing is sent until a person resumes them.';

CREATE TABLE ${prefix}outbox_audit (
  audit_id   bigint      GENERATED ALWAYS AS IDENTITY
    CONSTRAINT ${prefix}outbox_audit_pkey PRIMARY KEY,
  decided_at timestamptz NOT NULL,
  decided_by text        NOT NULL,
  action     text        NOT NULL,
  subject    text        NOT NULL,
  reason     text        NOT NULL,
  detail     text        NOT NULL
);

COMMENT ON TABLE ${prefix}outbox_audit IS
  'Postroad: what people decided about dead letters, parked keys and destinations, written with what was done.';
COMMENT ON COLUMN ${prefix}outbox_audit.subject IS
  'What it was done to: the id of a message, or a destination.';

CREATE INDEX ${prefix}outbox_audit_at_idx ON ${prefix}outbox_audit (decided_at, audit_id);
CREATE INDEX ${prefix}outbox_audit_subject_idx
  ON ${prefix}outbox_audit (subject, decided_at, audit_id);

-- Texts of an inbox are compared and never sorted for people.
CREATE TABLE ${prefix}inbox (
  message_id   varchar(512) COLLATE "C" NOT NULL,
  handler      varchar(255) COLLATE "C" NOT NULL,
  processed_at timestamptz  NOT NULL,
  CONSTRAINT ${prefix}inbox_pkey PRIMARY KEY (message_id, handler)
) WITH (
  autovacuum_vacuum_scale_factor = 0.05,
  autovacuum_vacuum_threshold = 1000
);

COMMENT ON TABLE ${prefix}inbox IS
  'Postroad: which handler has had which message. Written in the transaction of the handler.';

-- Not BRIN: rows take the places of purged ones, after which every range holds old and new.
CREATE INDEX ${prefix}inbox_processed_idx ON ${prefix}inbox (processed_at);

CREATE TABLE ${prefix}inbox_waiting (
  retry_id   uuid         CONSTRAINT ${prefix}inbox_waiting_pkey PRIMARY KEY,
  order_name varchar(255) COLLATE "C" NOT NULL,
  order_key  varchar(512) COLLATE "C" NOT NULL,
  since      timestamptz  NOT NULL
) WITH (
  autovacuum_vacuum_scale_factor = 0.05,
  autovacuum_vacuum_threshold = 1000
);

COMMENT ON TABLE ${prefix}inbox_waiting IS
  'Postroad: messages in the retry line. Those of the same order and key that come later join the line.';
COMMENT ON COLUMN ${prefix}inbox_waiting.retry_id IS
  'The id of the message in the store of the retry line.';

CREATE INDEX ${prefix}inbox_waiting_key_idx ON ${prefix}inbox_waiting (order_name, order_key);

-- status is PENDING, PROCESSING, COMPLETED or FAILED.
CREATE TABLE ${prefix}command (
  command_id      uuid         CONSTRAINT ${prefix}command_pkey PRIMARY KEY,
  type            varchar(120) COLLATE "C" NOT NULL,
  idempotency_key varchar(255) COLLATE "C" NOT NULL,
  business_key    varchar(255) NOT NULL,
  payload         text         NOT NULL,
  status          text         NOT NULL DEFAULT 'PENDING',
  created_at      timestamptz  NOT NULL,
  fingerprint     text         NOT NULL,
  headers         text         NOT NULL,
  correlation_id  uuid         NOT NULL,
  destination     text,
  reply_to        text,
  not_before      timestamptz,
  deadline        timestamptz,
  late_allowed    boolean      NOT NULL,
  late_told_at    timestamptz,
  available_at    timestamptz,
  attempt         integer      NOT NULL DEFAULT 0,
  lease_token     bigint       NOT NULL DEFAULT 0,
  lease_owner     text,
  leased_at       timestamptz,
  lease_until     timestamptz,
  last_error      text,
  finished_at     timestamptz,
  outcome_code    text,
  outcome_error   text,
  outcome_data    text
) WITH (
  -- A claim changes no column of an index, so with room on the page it writes to none of them.
  fillfactor = 50,
  autovacuum_vacuum_scale_factor = 0.02,
  autovacuum_vacuum_threshold = 1000,
  autovacuum_vacuum_cost_delay = 0,
  autovacuum_analyze_scale_factor = 0.05,
  autovacuum_analyze_threshold = 1000
);

COMMENT ON TABLE ${prefix}command IS
  'Postroad: one row per command, from when it was accepted, or has ended if it was carried, until it is purged.';
COMMENT ON COLUMN ${prefix}command.destination IS
  'Where it is handled, if that is elsewhere. Null: it is taken from this table.';
COMMENT ON COLUMN ${prefix}command.available_at IS
  'When it may be taken for the first time or again. Null when it has ended or is handled elsewhere.';
COMMENT ON COLUMN ${prefix}command.lease_token IS
  'Rises with every claim; only the holder of the latest one may end the command.';
COMMENT ON COLUMN ${prefix}command.lease_until IS
  'While it is PROCESSING: when others may take it.';
COMMENT ON COLUMN ${prefix}command.late_told_at IS
  'When its sender was told that it is late, for one that may still be handled then.';
COMMENT ON COLUMN ${prefix}command.outcome_code IS
  'COMPLETED, TIMED_OUT, CANCELLED or the kind of failure.';

-- accept, findByKey
CREATE UNIQUE INDEX ${prefix}command_key_idx ON ${prefix}command (idempotency_key);
-- claim. Taken ones stay in their place here, and a claim steps over them.
CREATE INDEX ${prefix}command_due_idx
  ON ${prefix}command (type, available_at) WHERE available_at IS NOT NULL;
-- expire
CREATE INDEX ${prefix}command_deadline_idx
  ON ${prefix}command (deadline)
  WHERE deadline IS NOT NULL AND finished_at IS NULL AND late_told_at IS NULL;
-- purge
CREATE INDEX ${prefix}command_finished_idx
  ON ${prefix}command (finished_at) WHERE finished_at IS NOT NULL;

CREATE VIEW ${prefix}outbox_position AS
SELECT
  l.lane,
  l.node,
  l.lease_until,
  COALESCE(c.head, 0) AS head,
  COALESCE(c.snap, '1:1:') AS snap,
  COALESCE(c.next_xid, '1') AS next_xid,
  c.window_after,
  c.window_snap,
  c.window_next_xid,
  COALESCE(c.floor, 0) AS floor,
  COALESCE(c.copied_up_to, 0) AS copied_up_to,
  c.written_at
FROM ${prefix}outbox_lane AS l
LEFT JOIN LATERAL (
  SELECT *
  FROM ${prefix}outbox_cursor
  WHERE lane = l.lane
  ORDER BY epoch DESC, step DESC
  LIMIT 1) AS c ON true;

COMMENT ON VIEW ${prefix}outbox_position IS
  'Postroad: how far each lane is settled, and who owns it.';

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
FROM ${prefix}outbox_queue
UNION ALL
SELECT
  m.outbox_id,
  m.category,
  m.destination,
  m.payload,
  CASE WHEN s.settled THEN 'DISPATCHED' ELSE 'PENDING' END,
  CASE WHEN s.settled THEN 1 ELSE 0 END,
  m.created_at,
  m.type,
  m.aggregate_type,
  m.aggregate_id,
  m.message_key,
  m.tenant,
  m.schema_version,
  m.headers,
  m.content_type,
  m.payload_bytes,
  m.dedup_key,
  m.not_before,
  CASE WHEN NOT s.settled THEN m.created_at END,
  NULL,
  NULL,
  NULL,
  NULL
FROM ${prefix}outbox_position AS p
JOIN ${prefix}outbox_log AS m ON m.lane = p.lane
CROSS JOIN LATERAL (
  SELECT m.pos <= p.head AND (
    m.pos <= p.copied_up_to
    OR pg_visible_in_snapshot(m.xid, p.snap)
    OR (p.window_snap IS NOT NULL
      AND m.pos <= p.window_after
      AND pg_visible_in_snapshot(m.xid, p.window_snap))) AS settled) AS s
WHERE NOT EXISTS (
  SELECT 1
  FROM ${prefix}outbox_held AS h
  WHERE h.outbox_id = m.outbox_id AND h.pos = m.pos)
UNION ALL
SELECT
  m.outbox_id,
  m.category,
  m.destination,
  m.payload,
  m.status,
  m.attempt,
  m.created_at,
  m.type,
  m.aggregate_type,
  m.aggregate_id,
  m.message_key,
  m.tenant,
  m.schema_version,
  m.headers,
  m.content_type,
  m.payload_bytes,
  m.dedup_key,
  m.not_before,
  CASE WHEN m.status = 'PENDING' AND m.sent_by IS NULL AND k.parked_at IS NULL THEN k.due_at END,
  m.sent_by,
  CASE WHEN m.sent_by IS NOT NULL THEN l.lease_until END,
  m.last_error,
  m.settled_at
FROM ${prefix}outbox_held AS m
LEFT JOIN ${prefix}outbox_held_key AS k USING (lane, destination, order_key)
LEFT JOIN ${prefix}outbox_lane AS l USING (lane)
UNION ALL
SELECT
  m.outbox_id,
  m.category,
  m.destination,
  m.payload,
  'PENDING',
  0,
  m.created_at,
  m.type,
  m.aggregate_type,
  m.aggregate_id,
  m.message_key,
  m.tenant,
  m.schema_version,
  m.headers,
  m.content_type,
  m.payload_bytes,
  m.dedup_key,
  m.not_before,
  m.not_before,
  NULL,
  NULL,
  NULL,
  NULL
FROM ${prefix}outbox_scheduled AS m;

COMMENT ON VIEW ${prefix}outbox IS
  'Postroad: every message with its status. PENDING with a lease_owner is being delivered until lease_until.';
