-- Which deaths of which events were copied to the dead letter topic. Goes with the event, so it stays small,
-- also when a correction gives the event another id.
CREATE TABLE outbox_dlq_copy (
    event_id VARCHAR(36) NOT NULL REFERENCES outbox_event(id) ON UPDATE CASCADE ON DELETE CASCADE,
    died_at TIMESTAMP NOT NULL,
    PRIMARY KEY (event_id, died_at)
);
