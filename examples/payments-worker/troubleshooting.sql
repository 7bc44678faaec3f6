-- The queries of the guide's section 10. TroubleshootingTest runs each of them.
-- 'uuid-here' stands for the id of a process.

-- Find stuck processes
SELECT process_id, process_type, business_key, current_step, created_at
FROM process_instance
WHERE status = 'RUNNING'
  AND updated_at < NOW() - INTERVAL '5 minutes';

-- Check outbox backlog
SELECT category, status, COUNT(*)
FROM outbox
GROUP BY category, status;

-- Current process states
SELECT status, COUNT(*)
FROM process_instance
GROUP BY status;

-- Recent failures
SELECT process_id, business_key, current_step, updated_at
FROM process_instance
WHERE status = 'FAILED'
ORDER BY updated_at DESC
LIMIT 10;

-- Full event history for a process
SELECT event_type, step_name, event_data, created_at
FROM process_log
WHERE process_id = 'uuid-here'
ORDER BY created_at;

-- Messages pending dispatch
SELECT category, destination, COUNT(*), MIN(created_at) as oldest
FROM outbox
WHERE status = 'PENDING'
GROUP BY category, destination;

-- Failed messages
SELECT * FROM outbox
WHERE status = 'FAILED'
ORDER BY retry_count DESC;

-- Command processing states
SELECT type, status, COUNT(*)
FROM command
GROUP BY type, status;

-- Check connection count
SELECT count(*) FROM pg_stat_activity;

-- Index usage (the guide's tablename and indexname are relname and indexrelname)
SELECT schemaname, relname, indexrelname, idx_scan
FROM pg_stat_user_indexes
WHERE idx_scan = 0;

-- Check slow queries (needs shared_preload_libraries = 'pg_stat_statements' and the extension)
SELECT query, mean_exec_time, calls
FROM pg_stat_statements
ORDER BY mean_exec_time DESC
LIMIT 10;
