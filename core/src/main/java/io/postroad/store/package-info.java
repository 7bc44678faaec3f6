/**
 * What a database must be able to do, as verbs: append, claim, extend, settle, purge.
 *
 * <p>The database decides everything that must hold across nodes: which rows are due (its clock),
 * who holds a message (lease and token) and whether a settle counts (the fence). A process may
 * trust what a call returned, until the lease it returned has passed. Each MUST of an interface
 * here is checked by a contract in the TCK; a store is complete when it passes them all.
 */
@NullMarked
package io.postroad.store;

import org.jspecify.annotations.NullMarked;
