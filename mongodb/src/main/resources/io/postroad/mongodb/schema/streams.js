// outbox_stream_idx: claim of one destination, what is due in the order in which it is.
db.runCommand({
  "createIndexes": "${prefix}outbox",
  "indexes": [
    {
      "key": {"destination": 1, "due_at": 1},
      "name": "outbox_stream_idx",
      "partialFilterExpression": {"due_at": {"$exists": true}}
    }
  ]
});
