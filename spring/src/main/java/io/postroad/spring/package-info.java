/**
 * Units of work that are Spring's transactions: what a {@code @Transactional} method appends,
 * accepts or starts is committed or rolled back with its own rows.
 *
 * <p>{@link io.postroad.spring.SpringJdbcTransactions} is for a {@code DataSource}, whoever else
 * uses its connection: JDBC, JPA with Hibernate, jOOQ. {@link
 * io.postroad.spring.SpringMongoTransactions} is for the sessions of a {@code
 * MongoTransactionManager}. Hand one of them to the outbox, the inbox, the command bus and the
 * process manager.
 */
@NullMarked
package io.postroad.spring;

import org.jspecify.annotations.NullMarked;
