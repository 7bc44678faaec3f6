CREATE TABLE outbox_event (
    id VARCHAR(36) PRIMARY KEY,
    aggregate_type VARCHAR(50) NOT NULL,
    aggregate_id VARCHAR(36) NOT NULL,
    event_type VARCHAR(100) NOT NULL,
    topic VARCHAR(100) NOT NULL,
    partition_key VARCHAR(100) NOT NULL,
    payload TEXT NOT NULL,
    status VARCHAR(20) NOT NULL DEFAULT 'PENDING',
    retry_count INT NOT NULL DEFAULT 0,
    error_message TEXT,
    created_at TIMESTAMP NOT NULL DEFAULT CURRENT_TIMESTAMP,
    published_at TIMESTAMP,
    version INT NOT NULL DEFAULT 1
);

-- Pending events, the longest waiting first.
CREATE INDEX idx_outbox_status_created
ON outbox_event(status, created_at);

-- Events of an aggregate, for whoever looks for a fault.
CREATE INDEX idx_outbox_aggregate
ON outbox_event(aggregate_type, aggregate_id);

-- Failed events, for monitoring.
CREATE INDEX idx_outbox_failed
ON outbox_event(status, retry_count)
WHERE status = 'FAILED';
