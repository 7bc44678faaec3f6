-- OutboxEntry of the specification, which has no DDL. What Postroad adds begins with postroad_.
CREATE TABLE outbox (
    id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    deal_id VARCHAR(36),
    idempotency_key VARCHAR(100) NOT NULL UNIQUE,
    topic VARCHAR(200) NOT NULL,
    partition_key VARCHAR(100),
    payload TEXT NOT NULL,
    status VARCHAR(20) NOT NULL DEFAULT 'PENDING'
        CHECK (status IN ('PENDING', 'PROCESSING', 'DELIVERED', 'FAILED')),
    retry_count INTEGER NOT NULL DEFAULT 0,
    version INTEGER NOT NULL DEFAULT 1,
    created_at TIMESTAMPTZ NOT NULL DEFAULT now(),
    processed_at TIMESTAMPTZ
);

-- The entries of a deal, for whoever looks for a fault.
CREATE INDEX idx_outbox_deal ON outbox (deal_id, created_at);

-- findPendingBatch: few rows, however many are delivered. Postroad makes its own index for claims.
CREATE INDEX idx_outbox_pending ON outbox (created_at, id) WHERE status = 'PENDING';
