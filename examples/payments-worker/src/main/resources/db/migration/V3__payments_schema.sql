-- V1 and V2 are Postroad's. The two tables and the indexes of the guide's section 8.1, as it has them.
CREATE TABLE account (
    account_id UUID PRIMARY KEY,
    customer_id UUID NOT NULL,
    account_number VARCHAR(20) NOT NULL UNIQUE,
    currency_code VARCHAR(3) NOT NULL,
    account_type VARCHAR(20) NOT NULL,
    transit_number VARCHAR(10),
    limit_based BOOLEAN DEFAULT false,
    available_balance DECIMAL(19, 4) NOT NULL,
    created_at TIMESTAMP NOT NULL DEFAULT CURRENT_TIMESTAMP
);

CREATE TABLE transaction (
    transaction_id UUID PRIMARY KEY,
    account_id UUID NOT NULL REFERENCES account(account_id),
    transaction_time TIMESTAMP NOT NULL,
    transaction_type VARCHAR(10) NOT NULL,
    amount DECIMAL(19, 4) NOT NULL,
    currency_code VARCHAR(3) NOT NULL,
    description TEXT,
    balance_after DECIMAL(19, 4) NOT NULL
);

CREATE INDEX idx_transaction_account ON transaction(account_id);
CREATE INDEX idx_transaction_time ON transaction(transaction_time);

COMMENT ON COLUMN account.created_at IS 'UTC';
COMMENT ON COLUMN transaction.transaction_time IS 'UTC';

-- What the guide does not have: whose work a transaction is, so that it is done once and undone once
-- (a reversal is the other type under the same booking), and the order in which they were made.
ALTER TABLE transaction
    ADD COLUMN booking_id UUID,
    ADD COLUMN seq BIGINT GENERATED ALWAYS AS IDENTITY;
CREATE UNIQUE INDEX idx_transaction_booking ON transaction(account_id, booking_id, transaction_type);

CREATE INDEX idx_account_customer ON account(customer_id);

-- Which bookings were undone, done or not: who comes after that does not do it. Who does and who
-- undoes both write the row, and so wait for each other.
CREATE TABLE booking (
    booking_id UUID NOT NULL,
    kind VARCHAR(12) NOT NULL,
    undone BOOLEAN NOT NULL,
    PRIMARY KEY (booking_id, kind)
);

-- Limits, and who uses how much of them.
CREATE TABLE account_limit (
    limit_id UUID PRIMARY KEY,
    seq BIGINT GENERATED ALWAYS AS IDENTITY,
    account_id UUID NOT NULL REFERENCES account(account_id),
    transaction_type VARCHAR(10) NOT NULL,
    currency_code VARCHAR(3) NOT NULL,
    limit_amount DECIMAL(19, 4) NOT NULL,
    utilized_amount DECIMAL(19, 4) NOT NULL,
    CHECK (utilized_amount BETWEEN 0 AND limit_amount)
);
CREATE INDEX idx_account_limit_account ON account_limit(account_id);

CREATE TABLE limit_booking (
    limit_id UUID NOT NULL REFERENCES account_limit(limit_id),
    booking_id UUID NOT NULL,
    amount DECIMAL(19, 4) NOT NULL,
    status VARCHAR(10) NOT NULL,
    PRIMARY KEY (limit_id, booking_id)
);
-- A booking uses one limit.
CREATE UNIQUE INDEX idx_limit_booking_booking ON limit_booking(booking_id);

CREATE TABLE fx_contract (
    fx_contract_id UUID PRIMARY KEY,
    booking_id UUID NOT NULL UNIQUE,
    sell_amount DECIMAL(19, 4) NOT NULL,
    sell_currency VARCHAR(3) NOT NULL,
    buy_amount DECIMAL(19, 4) NOT NULL,
    buy_currency VARCHAR(3) NOT NULL,
    exchange_rate DECIMAL(19, 8) NOT NULL,
    value_date DATE NOT NULL,
    status VARCHAR(10) NOT NULL
);

CREATE TABLE payment (
    payment_id UUID PRIMARY KEY,
    debit_account_id UUID NOT NULL REFERENCES account(account_id),
    debit_amount DECIMAL(19, 4) NOT NULL,
    debit_currency VARCHAR(3) NOT NULL,
    credit_amount DECIMAL(19, 4) NOT NULL,
    credit_currency VARCHAR(3) NOT NULL,
    value_date DATE NOT NULL,
    beneficiary_name VARCHAR(100) NOT NULL,
    beneficiary_account VARCHAR(34) NOT NULL,
    beneficiary_transit VARCHAR(10) NOT NULL,
    fx_contract_id UUID REFERENCES fx_contract(fx_contract_id),
    status VARCHAR(20) NOT NULL,
    created_at TIMESTAMP NOT NULL
);
CREATE INDEX idx_payment_account ON payment(debit_account_id);

COMMENT ON COLUMN payment.created_at IS 'UTC';
