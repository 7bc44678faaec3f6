// The queue: one document per message, taken by competing workers.
db.runCommand({
  "create": "${prefix}outbox",
  "validator": {
    "$jsonSchema": {
      "required": ["status", "token", "attempts", "next_retry_at", "created_at"],
      "properties": {
        "status": {"enum": ["new", "processing", "done", "failed", "dead"]},
        "token": {"bsonType": ["int", "long"]},
        "attempts": {"bsonType": ["int", "long"]},
        "next_retry_at": {"bsonType": "date"},
        "created_at": {"bsonType": "date"},
        "due_at": {"bsonType": "date"}
      }
    }
  }
});

// outbox_due_idx: claim and backlog, what is due in the order in which it is; done and dead are not in it.
// outbox_settled_idx: purge, what was delivered in the order in which it was; backlog, what is dead.
db.runCommand({
  "createIndexes": "${prefix}outbox",
  "indexes": [
    {
      "key": {"due_at": 1},
      "name": "outbox_due_idx",
      "partialFilterExpression": {"due_at": {"$exists": true}}
    },
    {
      "key": {"status": 1, "settled_at": 1},
      "name": "outbox_settled_idx",
      "partialFilterExpression": {"settled_at": {"$exists": true}}
    }
  ]
});

// Dead letters of the queue, where they are moved.
db.runCommand({"create": "${prefix}outbox_dead"});

// Deduplication keys of both outboxes.
db.runCommand({"create": "${prefix}outbox_dedup"});

// outbox_dedup_expires_idx: purge, keys past their window.
// outbox_dedup_probe_idx: append, lets an insert that waits for takers of a key fail in any case.
db.runCommand({
  "createIndexes": "${prefix}outbox_dedup",
  "indexes": [
    {"key": {"expires_at": 1}, "name": "outbox_dedup_expires_idx"},
    {
      "key": {"probe": 1},
      "name": "outbox_dedup_probe_idx",
      "unique": true,
      "partialFilterExpression": {"probe": true}
    }
  ]
});

// What such an insert runs into; the empty text is no key.
db.runCommand({
  "update": "${prefix}outbox_dedup",
  "updates": [{"q": {"_id": ""}, "u": {"$set": {"probe": true}}, "upsert": true}]
});

// Hints of nodes to each other; read by change streams only.
db.runCommand({"create": "${prefix}outbox_signal"});

// Things that one node does at a time.
db.runCommand({"create": "${prefix}outbox_lease"});
