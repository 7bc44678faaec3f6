package io.postroad.benchmarks.outbox;

/**
 * The read position of a log: everything up to {@code head} that {@code snapshot} sees.
 *
 * @param snapshot as PostgreSQL prints it
 * @param nextXid no transaction had this id or a higher one when the snapshot was taken
 * @param head the highest read position
 */
record PostgresLogPosition(String snapshot, long nextXid, long head) {}
