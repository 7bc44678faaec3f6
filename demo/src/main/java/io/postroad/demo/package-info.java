/**
 * The demo behind {@code bin/demo}: an order service, its outbox, a relay, a broker that goes away
 * in the middle, and a consumer that counts.
 *
 * <p>{@link io.postroad.demo.OrderService} is the sample to copy, {@code DemoRun} shows how the
 * parts are put together; the rest produces load, counts and talks.
 */
@NullMarked
package io.postroad.demo;

import org.jspecify.annotations.NullMarked;
