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
        "due_at": {"bsonType": "date"},
        "aside_at": {"bsonType": "date"}
      }
    }
  }
});

// outbox_due_idx: claim and backlog, what is due in the order in which it is; done and dead are not in it.
// outbox_settled_idx: purge, what was delivered in the order in which it was; backlog and the list of
// dead letters, what is dead in the order in which it died.
// outbox_aside_idx: what is set aside, by destination and in the order in which it was.
db.runCommand({
  "createIndexes": "${prefix}outbox",
  "indexes": [
    {
      "key": {"due_at": 1},
      "name": "outbox_due_idx",
      "partialFilterExpression": {"due_at": {"$exists": true}}
    },
    {
      "key": {"status": 1, "settled_at": 1, "_id": 1},
      "name": "outbox_settled_idx",
      "partialFilterExpression": {"settled_at": {"$exists": true}}
    },
    {
      "key": {"destination": 1, "aside_at": 1},
      "name": "outbox_aside_idx",
      "partialFilterExpression": {"aside_at": {"$exists": true}}
    }
  ]
});

// Dead letters of the queue, where they are moved.
db.runCommand({"create": "${prefix}outbox_dead"});

// outbox_dead_settled_idx: their list, in the order in which they died.
db.runCommand({
  "createIndexes": "${prefix}outbox_dead",
  "indexes": [
    {
      "key": {"settled_at": 1, "_id": 1},
      "name": "outbox_dead_settled_idx",
      "partialFilterExpression": {"settled_at": {"$exists": true}}
    }
  ]
});

// What people decided, about both outboxes.
db.runCommand({"create": "${prefix}outbox_audit"});

// outbox_audit_at_idx: what was decided, the latest first; purge of it.
// outbox_audit_subject_idx: the same about one message or destination.
db.runCommand({
  "createIndexes": "${prefix}outbox_audit",
  "indexes": [
    {"key": {"at": 1, "_id": 1}, "name": "outbox_audit_at_idx"},
    {"key": {"subject": 1, "at": 1, "_id": 1}, "name": "outbox_audit_subject_idx"}
  ]
});

// Destinations that people have paused, of both outboxes; _id is the destination.
db.runCommand({"create": "${prefix}outbox_pause"});

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

// The ordered outbox: a log, one document per place. _id is lane * 10^15 + ticket, so the index that
// every collection has serves reading a lane, purging it, and that no place is used twice.
db.runCommand({
  "create": "${prefix}outbox_log",
  "validator": {
    "$jsonSchema": {
      "required": ["_id", "created_at"],
      "properties": {
        "_id": {"bsonType": "long"},
        "created_at": {"bsonType": "date"}
      }
    }
  }
});

// outbox_log_message_idx: find, a message by its id; voids are not in it.
db.runCommand({
  "createIndexes": "${prefix}outbox_log",
  "indexes": [
    {
      "key": {"message_id": 1},
      "name": "outbox_log_message_idx",
      "partialFilterExpression": {"message_id": {"$exists": true}}
    }
  ]
});

// The lanes: who owns them and how far they are settled.
db.runCommand({"create": "${prefix}outbox_lane"});

db.runCommand({
  "update": "${prefix}outbox_lane",
  "updates": [
    {
      "q": {"_id": ${lane}},
      "u": {
        "$setOnInsert": {
          "node": null,
          "epoch": {"$numberLong": "0"},
          "lease_until": null,
          "crashes": 0,
          "progress": false,
          "head": {"$numberLong": "0"},
          "gaps": [],
          "floor": {"$numberLong": "0"},
          "decisions": {"$numberLong": "0"}
        }
      },
      "upsert": true
    }
  ]
});

// The counters that places are drawn from, one per lane and one for scheduled messages.
db.runCommand({"create": "${prefix}outbox_counter"});

db.runCommand({
  "update": "${prefix}outbox_counter",
  "updates": [
    {"q": {"_id": ${lane}}, "u": {"$setOnInsert": {"seq": {"$numberLong": "0"}}}, "upsert": true}
  ]
});

db.runCommand({
  "update": "${prefix}outbox_counter",
  "updates": [
    {
      "q": {"_id": "scheduled"},
      "u": {"$setOnInsert": {"seq": {"$numberLong": "0"}}},
      "upsert": true
    }
  ]
});

// The nodes that were heard of lately.
db.runCommand({"create": "${prefix}outbox_node"});

// Messages that a lane has passed without delivering them.
db.runCommand({
  "create": "${prefix}outbox_held",
  "validator": {
    "$jsonSchema": {
      "required": ["_id", "message_id", "held_key", "status", "attempts", "created_at"],
      "properties": {
        "_id": {"bsonType": "long"},
        "message_id": {"bsonType": "binData"},
        "status": {"enum": ["PENDING", "FAILED"]},
        "attempts": {"bsonType": ["int", "long"]},
        "created_at": {"bsonType": "date"}
      }
    }
  }
});

// outbox_held_key_idx: takeHeld and settleHeld, the messages of a key in order.
// outbox_held_message_idx: find.
// outbox_held_status_idx: backlog; the list of dead letters, in the order in which they died.
db.runCommand({
  "createIndexes": "${prefix}outbox_held",
  "indexes": [
    {"key": {"held_key": 1, "_id": 1}, "name": "outbox_held_key_idx"},
    {"key": {"message_id": 1}, "name": "outbox_held_message_idx"},
    {
      "key": {"status": 1, "settled_at": 1, "message_id": 1},
      "name": "outbox_held_status_idx"
    }
  ]
});

// The keys they have, and when each is due.
db.runCommand({
  "create": "${prefix}outbox_held_key",
  "validator": {
    "$jsonSchema": {
      "required": ["lane", "parked", "due_at"],
      "properties": {
        "lane": {"bsonType": "int"},
        "parked": {"bsonType": "bool"},
        "due_at": {"bsonType": "date"},
        "aside_at": {"bsonType": "date"}
      }
    }
  }
});

// outbox_held_key_due_idx: takeHeld and backlog, what is due; heldKeys, what is not set aside.
// outbox_held_key_parked_idx: the list of parked keys.
// outbox_held_key_since_idx: how much is parked, and since when.
// outbox_held_key_aside_idx: what is set aside, by destination and in the order in which it was.
db.runCommand({
  "createIndexes": "${prefix}outbox_held_key",
  "indexes": [
    {"key": {"lane": 1, "parked": 1, "due_at": 1}, "name": "outbox_held_key_due_idx"},
    {
      "key": {"_id.destination": 1, "_id.name": 1},
      "name": "outbox_held_key_parked_idx",
      "partialFilterExpression": {"parked": true}
    },
    {
      "key": {"parked_since": 1},
      "name": "outbox_held_key_since_idx",
      "partialFilterExpression": {"parked_since": {"$exists": true}}
    },
    {
      "key": {"lane": 1, "_id.destination": 1, "aside_at": 1},
      "name": "outbox_held_key_aside_idx",
      "partialFilterExpression": {"aside_at": {"$exists": true}}
    }
  ]
});

// Messages that have no place yet because they are not due.
db.runCommand({
  "create": "${prefix}outbox_scheduled",
  "validator": {
    "$jsonSchema": {
      "required": ["lane", "not_before", "turn", "created_at"],
      "properties": {
        "lane": {"bsonType": "int"},
        "not_before": {"bsonType": "date"},
        "turn": {"bsonType": "long"},
        "created_at": {"bsonType": "date"}
      }
    }
  }
});

// outbox_scheduled_due_idx: admitDue and backlog, what is due, the longest first.
db.runCommand({
  "createIndexes": "${prefix}outbox_scheduled",
  "indexes": [
    {"key": {"lane": 1, "not_before": 1, "turn": 1}, "name": "outbox_scheduled_due_idx"}
  ]
});

// What lockKeys writes.
db.runCommand({"create": "${prefix}outbox_lock"});

// Commands: one document each, _id is the command's id.
db.runCommand({
  "create": "${prefix}command",
  "validator": {
    "$jsonSchema": {
      "required": [
        "_id",
        "type",
        "idempotency_key",
        "business_key",
        "payload",
        "fingerprint",
        "correlation_id",
        "late_allowed",
        "status",
        "attempts",
        "token",
        "created_at"
      ],
      "properties": {
        "_id": {"bsonType": "binData"},
        "type": {"bsonType": "string"},
        "idempotency_key": {"bsonType": "string"},
        "business_key": {"bsonType": "string"},
        "payload": {"bsonType": "string"},
        "fingerprint": {"bsonType": "string"},
        "headers": {"bsonType": "array"},
        "correlation_id": {"bsonType": "binData"},
        "destination": {"bsonType": "string"},
        "reply_to": {"bsonType": "string"},
        "not_before": {"bsonType": "date"},
        "timeout_ms": {"bsonType": ["int", "long"]},
        "late_allowed": {"bsonType": "bool"},
        "status": {"enum": ["PENDING", "PROCESSING", "COMPLETED", "FAILED"]},
        "attempts": {"bsonType": ["int", "long"]},
        "token": {"bsonType": ["int", "long"]},
        "created_at": {"bsonType": "date"},
        "available_at": {"bsonType": "date"},
        "deadline": {"bsonType": "date"},
        "expires_at": {"bsonType": "date"},
        "lease_owner": {"bsonType": "string"},
        "claimed_at": {"bsonType": "date"},
        "opened_at": {"bsonType": "date"},
        "last_error": {"bsonType": "string"},
        "finished_at": {"bsonType": "date"},
        "outcome_code": {"bsonType": "string"},
        "outcome_error": {"bsonType": "string"},
        "outcome_data": {"bsonType": "string"}
      }
    }
  }
});

// command_key_idx: accept, lets one command only have a key; findByKey.
// command_due_idx: claim, what is due of some types in the order in which it is; what has ended and what
// is handled elsewhere is not in it.
// command_expires_idx: expire, whose deadline is over; once that was told they are not in it.
// command_finished_idx: purge, what has ended in the order in which it did.
db.runCommand({
  "createIndexes": "${prefix}command",
  "indexes": [
    {"key": {"idempotency_key": 1}, "name": "command_key_idx", "unique": true},
    {
      "key": {"type": 1, "available_at": 1},
      "name": "command_due_idx",
      "partialFilterExpression": {"available_at": {"$exists": true}}
    },
    {
      "key": {"expires_at": 1},
      "name": "command_expires_idx",
      "partialFilterExpression": {"expires_at": {"$exists": true}}
    },
    {
      "key": {"finished_at": 1},
      "name": "command_finished_idx",
      "partialFilterExpression": {"finished_at": {"$exists": true}}
    }
  ]
});

// Sessions that handlers of commands use, _id is the session's id, and how long their transactions last.
db.runCommand({
  "create": "${prefix}command_session",
  "validator": {
    "$jsonSchema": {
      "required": ["_id", "longest_ms", "at"],
      "properties": {
        "_id": {"bsonType": "binData"},
        "longest_ms": {"bsonType": "long"},
        "at": {"bsonType": "date"}
      }
    }
  }
});

// command_session_at_idx: the server removes what was not written again for a day.
db.runCommand({
  "createIndexes": "${prefix}command_session",
  "indexes": [
    {"key": {"at": 1}, "name": "command_session_at_idx", "expireAfterSeconds": 86400}
  ]
});

// Hints of nodes to each other that commands were accepted; read by change streams only.
db.runCommand({"create": "${prefix}command_signal"});
