-- Domain table
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

CREATE TABLE payment (
    payment_id UUID PRIMARY KEY,
    account_id UUID NOT NULL REFERENCES account(account_id)
);
