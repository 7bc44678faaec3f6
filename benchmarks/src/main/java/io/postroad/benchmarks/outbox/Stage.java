package io.postroad.benchmarks.outbox;

/**
 * A contender in its empty place of the database, with the tools of a round.
 *
 * @param meter reads the costs in the database
 * @param statements counts the statements of the contender
 * @param reader opens a transaction that has read
 */
record Stage(
    Contender contender, Meter meter, StatementCount statements, HeldTransaction.Reader reader) {}
