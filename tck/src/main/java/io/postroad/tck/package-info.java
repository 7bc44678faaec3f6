/**
 * The contract suites that every store passes, published for authors of stores.
 *
 * <p>An implementer writes two small classes: a {@link io.postroad.tck.StoreFixture}, which opens
 * the store over empty data and moves its clock, and a test class that extends {@link
 * io.postroad.tck.CompetingStoreTck} or {@link io.postroad.tck.OrderedStoreTck} and names the
 * fixture. Every contract of {@code io.postroad.tck.contract} for that kind of store then runs
 * against it, and so does every contract that a later version adds. A store leaves out of its
 * {@link io.postroad.tck.Capability capabilities}; the tests for it are then skipped with a reason,
 * and counted in the report.
 */
@NullMarked
package io.postroad.tck;

import org.jspecify.annotations.NullMarked;
