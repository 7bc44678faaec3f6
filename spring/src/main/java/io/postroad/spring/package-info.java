/**
 * Runs Postroad in Spring's transactions: a message, command or process that a
 * {@code @Transactional} method appends, accepts or starts is committed or rolled back with its own
 * rows.
 *
 * <p>{@link io.postroad.spring.SpringJdbcTransactions} is for the connections of a {@code
 * DataSource}, which JDBC, JPA with Hibernate and jOOQ share. {@link
 * io.postroad.spring.SpringMongoTransactions} is for the sessions of a {@code
 * MongoTransactionManager}. Pass one of them to the outbox, the inbox, the command bus and the
 * process manager. {@link io.postroad.spring.SpringTransactionRunner} runs the work of both; {@link
 * io.postroad.spring.SpringCompletion} runs the actions after a commit.
 */
@NullMarked
package io.postroad.spring;

import org.jspecify.annotations.NullMarked;
