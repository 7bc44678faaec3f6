-- What a service that follows the guide adds next to our V1 and V2.
CREATE TABLE orders (
  order_id uuid PRIMARY KEY
);
