-- The process manager: instances, what happened to each, and the definitions that they run on.

-- status is RUNNING, SUCCEEDED, COMPENSATING, COMPENSATED or FAILED.
CREATE TABLE ${prefix}process_instance (
  process_id   uuid         CONSTRAINT ${prefix}process_instance_pkey PRIMARY KEY,
  process_type varchar(120) COLLATE "C" NOT NULL,
  business_key varchar(255) COLLATE "C" NOT NULL,
  status       text         COLLATE "C" NOT NULL,
  current_step varchar(255) NOT NULL,
  data         text         NOT NULL,
  retries      integer      NOT NULL,
  created_at   timestamptz  NOT NULL,
  updated_at   timestamptz  NOT NULL,
  is_unique    boolean      NOT NULL,
  is_active    boolean      NOT NULL,
  definition   text         COLLATE "C" NOT NULL,
  marking      text         NOT NULL,
  paused       boolean      NOT NULL,
  failure_kind text,
  failure      text,
  due_at       timestamptz,
  ended_at     timestamptz,
  last_seq     bigint       NOT NULL
) WITH (
  -- Most steps change no column of an index, and with room on the page they write to none of them.
  fillfactor = 50,
  autovacuum_vacuum_scale_factor = 0.02,
  autovacuum_vacuum_threshold = 1000,
  autovacuum_vacuum_cost_delay = 0,
  autovacuum_analyze_scale_factor = 0.05,
  autovacuum_analyze_threshold = 1000
);

COMMENT ON TABLE ${prefix}process_instance IS
  'Postroad: how each process stands, until it is purged. Locked by the transaction that moves it.';
COMMENT ON COLUMN ${prefix}process_instance.is_unique IS
  'Whether no other active process of its type may have its business key.';
COMMENT ON COLUMN ${prefix}process_instance.definition IS
  'The hash of the definition that it runs on.';
COMMENT ON COLUMN ${prefix}process_instance.marking IS 'Where exactly it stands.';
COMMENT ON COLUMN ${prefix}process_instance.due_at IS
  'When a timer of it fires next, or the command that a node carries has to be looked for.';
COMMENT ON COLUMN ${prefix}process_instance.ended_at IS
  'updated_at, once it is not active any more. A column of its own, because an index on updated_at would have to be written with every step.';
COMMENT ON COLUMN ${prefix}process_instance.last_seq IS 'The number of its newest log entry.';

-- start
CREATE UNIQUE INDEX ${prefix}process_instance_active_idx
  ON ${prefix}process_instance (process_type, business_key) WHERE is_unique AND is_active;
-- lockDue
CREATE INDEX ${prefix}process_instance_due_idx
  ON ${prefix}process_instance (due_at) WHERE due_at IS NOT NULL;
-- purge
CREATE INDEX ${prefix}process_instance_ended_idx
  ON ${prefix}process_instance (ended_at) WHERE ended_at IS NOT NULL;
-- live; purge of definitions
CREATE INDEX ${prefix}process_instance_definition_idx
  ON ${prefix}process_instance (process_type, is_active, definition);
-- list by status; counts
CREATE INDEX ${prefix}process_instance_status_idx
  ON ${prefix}process_instance (status, process_id);
-- list by business key
CREATE INDEX ${prefix}process_instance_key_idx
  ON ${prefix}process_instance (business_key, process_id);

CREATE TABLE ${prefix}process_log (
  log_id     uuid         CONSTRAINT ${prefix}process_log_pkey PRIMARY KEY,
  process_id uuid         NOT NULL,
  seq        bigint       NOT NULL,
  event_type varchar(120) NOT NULL,
  step_name  varchar(255),
  event_data text         NOT NULL,
  created_at timestamptz  NOT NULL
) WITH (
  autovacuum_vacuum_scale_factor = 0.05,
  autovacuum_vacuum_threshold = 1000
);

COMMENT ON TABLE ${prefix}process_log IS
  'Postroad: what happened to each process, numbered without gaps. Written with what it tells of, and forgotten with its process.';

-- save: two that did not lock their process collide here; log; purge
CREATE UNIQUE INDEX ${prefix}process_log_seq_idx ON ${prefix}process_log (process_id, seq);

CREATE TABLE ${prefix}process_definition (
  process_type varchar(120) COLLATE "C" NOT NULL,
  definition   text         COLLATE "C" NOT NULL,
  graph        text         NOT NULL,
  kept_at      timestamptz  NOT NULL,
  kept_since   timestamptz  NOT NULL,
  CONSTRAINT ${prefix}process_definition_pkey PRIMARY KEY (process_type, definition)
);

COMMENT ON TABLE ${prefix}process_definition IS
  'Postroad: the definitions that processes run on, by their hash.';
COMMENT ON COLUMN ${prefix}process_definition.kept_at IS
  'When a node that has this definition started last.';
COMMENT ON COLUMN ${prefix}process_definition.kept_since IS
  'When a node that has this definition started first: tells a newer release from an older one.';
