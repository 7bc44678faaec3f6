/**
 * Shows operators how the outbox stands: {@link
 * io.postroad.micronaut.internal.operate.PostroadHealthIndicator} in {@code /health}, {@link
 * io.postroad.micronaut.internal.operate.PostroadEndpoint} at {@code /postroad}.
 */
@NullMarked
package io.postroad.micronaut.internal.operate;

import org.jspecify.annotations.NullMarked;
