/**
 * For tests of services that use Postroad: stores in memory, one of each kind, and a clock that
 * stands still until it is moved. No server, no files, no threads.
 *
 * <pre>{@code
 * ManualClock clock = ManualClock.startingAt(Instant.parse("2026-01-01T00:00:00Z"));
 * InMemoryOrderedStore store = new InMemoryOrderedStore(clock);
 * }</pre>
 *
 * <p>A process is played with {@link io.postroad.test.ProcessFixture}: given its data, when
 * replies, signals, operators and months come, then these commands, this status, these
 * compensations. It runs the definition on the process manager of production.
 *
 * <pre>{@code
 * ProcessFixture payment = ProcessFixture.of(new SimplePaymentProcessDefinition(), codec);
 * payment.given(Map.of("customerId", "c-1", "amount", 100)).thenCommands("BookLimits");
 * }</pre>
 *
 * <p>The stores pass the contracts that those for real databases pass, so what a test shows with
 * them holds there too, as far as the contracts go. Nothing survives the JVM.
 */
@NullMarked
package io.postroad.test;

import org.jspecify.annotations.NullMarked;
