// The inbox: which handler had which message. _id is {message_id, handler}, so the index that every
// collection has lets one transaction only enter a message for a handler.
db.runCommand({
  "create": "${prefix}inbox",
  "validator": {
    "$jsonSchema": {
      "required": ["_id", "processed_at"],
      "properties": {
        "_id": {
          "bsonType": "object",
          "required": ["message_id", "handler"],
          "properties": {
            "message_id": {"bsonType": "string"},
            "handler": {"bsonType": "string"}
          }
        },
        "processed_at": {"bsonType": "date"}
      }
    }
  }
});

// inbox_processed_idx: purge, what was handled in the order in which it was.
db.runCommand({
  "createIndexes": "${prefix}inbox",
  "indexes": [{"key": {"processed_at": 1}, "name": "inbox_processed_idx"}]
});

// Messages that wait in the retry line; _id is their id in the retry store.
db.runCommand({
  "create": "${prefix}inbox_waiting",
  "validator": {
    "$jsonSchema": {
      "required": ["order", "key", "since"],
      "properties": {
        "_id": {"bsonType": "binData"},
        "order": {"bsonType": "string"},
        "key": {"bsonType": "string"},
        "since": {"bsonType": "date"}
      }
    }
  }
});

// inbox_waiting_key_idx: enter, whether messages of an order and key wait.
db.runCommand({
  "createIndexes": "${prefix}inbox_waiting",
  "indexes": [{"key": {"order": 1, "key": 1}, "name": "inbox_waiting_key_idx"}]
});
