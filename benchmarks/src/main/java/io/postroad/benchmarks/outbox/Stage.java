package io.postroad.benchmarks.outbox;

/**
 * A contender in its empty place of the database, with what a round needs to know of the database.
 *
 * @param meter what the database has spent
 * @param statements what the contender has sent
 * @param reader makes a transaction that has read and is not ended
 */
record Stage(
    Contender contender, Meter meter, StatementCount statements, HeldTransaction.Reader reader) {}
