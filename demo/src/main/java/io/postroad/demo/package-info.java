/**
 * The demo behind {@code bin/demo}: an order service, its outbox, a relay, a broker that stops in
 * the middle, and a consumer that counts.
 *
 * <p>{@link io.postroad.demo.OrderService} is the sample to copy, and {@code DemoRun} shows how the
 * parts are connected; the other classes create load, count and print.
 */
@NullMarked
package io.postroad.demo;

import org.jspecify.annotations.NullMarked;
