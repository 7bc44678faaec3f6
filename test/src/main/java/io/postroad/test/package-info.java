/**
 * For tests of services that use Postroad: a store in memory and a clock that stands still until it
 * is moved. No server, no files, no threads.
 *
 * <pre>{@code
 * ManualClock clock = ManualClock.startingAt(Instant.parse("2026-01-01T00:00:00Z"));
 * InMemoryCompetingStore store = new InMemoryCompetingStore(clock);
 * }</pre>
 *
 * <p>The store passes the contracts that the stores for real databases pass, so what a test shows
 * with it holds there too, as far as the contracts go. Nothing survives the JVM.
 */
@NullMarked
package io.postroad.test;

import org.jspecify.annotations.NullMarked;
