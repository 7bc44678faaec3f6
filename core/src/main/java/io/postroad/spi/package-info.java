/**
 * Says what a database must do for Postroad, as roles with few verbs each.
 *
 * <p>The outbox has two kinds of stores. {@link io.postroad.spi.OrderedStore} keeps the order of
 * each key and hands out four roles: {@link io.postroad.spi.LaneStore} decides which node owns a
 * lane, {@link io.postroad.spi.LogStore} reads the lane and advances its position, {@link
 * io.postroad.spi.BlockedMessageStore} keeps the messages of blocked keys for relays, {@link
 * io.postroad.spi.BlockedKeyStore} releases blocked keys for operators. {@link
 * io.postroad.spi.CompetingStore} lets workers claim messages one by one. Both hand out {@link
 * io.postroad.spi.DeadLetterStore} and {@link io.postroad.spi.PauseStore}, which carry out the
 * decisions of operators. {@link io.postroad.spi.InboxStore} remembers which messages were handled,
 * {@link io.postroad.spi.CommandStore} keeps commands ({@link io.postroad.spi.CommandQueue} and
 * {@link io.postroad.spi.CommandEnds} are its roles), {@link io.postroad.spi.process.ProcessStore}
 * keeps processes and their logs.
 *
 * <p>The database decides everything that must hold across nodes: which rows are due (its clock),
 * which node holds a message (lease and token) and whether a settle counts (the fence). A node may
 * trust the result of a call until the lease that it returned has passed. Each MUST of an interface
 * here has a contract in the TCK; a store is complete when it passes all contracts.
 */
@NullMarked
package io.postroad.spi;

import org.jspecify.annotations.NullMarked;
