// Processes: one document each, _id is the process's id. has_key is there while it is unique and
// active; locks and locked_at change whenever a transaction locks it, so that two collide.
db.runCommand({
  "create": "${prefix}process_instance",
  "validator": {
    "$jsonSchema": {
      "required": [
        "_id",
        "process_type",
        "business_key",
        "is_unique",
        "status",
        "is_active",
        "current_step",
        "data",
        "retries",
        "definition",
        "paused",
        "marking",
        "last_seq",
        "created_at",
        "updated_at"
      ],
      "properties": {
        "_id": {"bsonType": "binData"},
        "process_type": {"bsonType": "string"},
        "business_key": {"bsonType": "string"},
        "is_unique": {"bsonType": "bool"},
        "has_key": {"enum": [true]},
        "status": {"bsonType": "string"},
        "is_active": {"bsonType": "bool"},
        "current_step": {"bsonType": "string"},
        "data": {"bsonType": "string"},
        "retries": {"bsonType": ["int", "long"]},
        "definition": {"bsonType": "string"},
        "paused": {"bsonType": "bool"},
        "failure_kind": {"bsonType": "string"},
        "failure": {"bsonType": "string"},
        "marking": {"bsonType": "string"},
        "due_at": {"bsonType": "date"},
        "ended_at": {"bsonType": "date"},
        "last_seq": {"bsonType": ["int", "long"]},
        "created_at": {"bsonType": "date"},
        "updated_at": {"bsonType": "date"},
        "locks": {"bsonType": ["int", "long"]},
        "locked_at": {"bsonType": "date"}
      }
    }
  }
});

// process_instance_active_idx: start, lets one active process only have a type and business key.
// process_instance_due_idx: lockDue, whose timer is due in the order in which it is.
// process_instance_ended_idx: purge, what has ended in the order in which it did.
// process_instance_definition_idx: live; purge of definitions, whether any process has one.
// process_instance_status_idx: list by status; counts.
// process_instance_key_idx: list by business key.
db.runCommand({
  "createIndexes": "${prefix}process_instance",
  "indexes": [
    {
      "key": {"process_type": 1, "business_key": 1},
      "name": "process_instance_active_idx",
      "unique": true,
      "partialFilterExpression": {"has_key": true}
    },
    {
      "key": {"due_at": 1},
      "name": "process_instance_due_idx",
      "partialFilterExpression": {"due_at": {"$exists": true}}
    },
    {
      "key": {"ended_at": 1},
      "name": "process_instance_ended_idx",
      "partialFilterExpression": {"ended_at": {"$exists": true}}
    },
    {
      "key": {"process_type": 1, "is_active": 1, "definition": 1},
      "name": "process_instance_definition_idx"
    },
    {"key": {"status": 1, "_id": 1}, "name": "process_instance_status_idx"},
    {"key": {"business_key": 1, "_id": 1}, "name": "process_instance_key_idx"}
  ]
});

// What happened to each process, numbered without gaps; _id is the entry's id.
db.runCommand({
  "create": "${prefix}process_log",
  "validator": {
    "$jsonSchema": {
      "required": ["_id", "process_id", "seq", "event_type", "event_data", "created_at"],
      "properties": {
        "_id": {"bsonType": "binData"},
        "process_id": {"bsonType": "binData"},
        "seq": {"bsonType": ["int", "long"]},
        "event_type": {"bsonType": "string"},
        "step_name": {"bsonType": "string"},
        "event_data": {"bsonType": "string"},
        "created_at": {"bsonType": "date"}
      }
    }
  }
});

// process_log_seq_idx: save, refuses a number that is taken; log; purge.
db.runCommand({
  "createIndexes": "${prefix}process_log",
  "indexes": [
    {"key": {"process_id": 1, "seq": 1}, "name": "process_log_seq_idx", "unique": true}
  ]
});

// The definitions that processes run on; _id is {process_type, definition}.
db.runCommand({
  "create": "${prefix}process_definition",
  "validator": {
    "$jsonSchema": {
      "required": ["_id", "graph", "kept_at", "kept_since"],
      "properties": {
        "_id": {
          "bsonType": "object",
          "required": ["process_type", "definition"],
          "properties": {
            "process_type": {"bsonType": "string"},
            "definition": {"bsonType": "string"}
          }
        },
        "graph": {"bsonType": "string"},
        "kept_at": {"bsonType": "date"},
        "kept_since": {"bsonType": "date"}
      }
    }
  }
});

// Replies for processes that another transaction moves.
db.runCommand({
  "create": "${prefix}process_arrival",
  "validator": {
    "$jsonSchema": {
      "required": ["process_id", "command_id", "reply", "at"],
      "properties": {
        "process_id": {"bsonType": "binData"},
        "command_id": {"bsonType": "binData"},
        "reply": {"bsonType": "string"},
        "at": {"bsonType": "date"}
      }
    }
  }
});

// process_arrival_process_idx: takeParked, those of one process in order; purge.
// process_arrival_at_idx: parked, which processes have some, the oldest first.
db.runCommand({
  "createIndexes": "${prefix}process_arrival",
  "indexes": [
    {"key": {"process_id": 1, "at": 1, "_id": 1}, "name": "process_arrival_process_idx"},
    {"key": {"at": 1, "_id": 1}, "name": "process_arrival_at_idx"}
  ]
});
