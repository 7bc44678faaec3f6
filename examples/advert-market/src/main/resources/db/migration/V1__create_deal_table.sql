CREATE TABLE deal (
    id VARCHAR(36) PRIMARY KEY,
    advertiser_id VARCHAR(64) NOT NULL,
    channel_id VARCHAR(64) NOT NULL,
    price NUMERIC(17, 2) NOT NULL CHECK (price > 0),
    currency CHAR(3) NOT NULL,
    status VARCHAR(20) NOT NULL CHECK (status IN ('CREATED', 'FUNDED', 'COMPLETED', 'CANCELLED')),
    version INTEGER NOT NULL,
    cancel_reason VARCHAR(500),
    created_at TIMESTAMPTZ NOT NULL DEFAULT now(),
    updated_at TIMESTAMPTZ NOT NULL DEFAULT now()
);
