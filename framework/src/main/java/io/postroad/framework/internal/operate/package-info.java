/**
 * Shows operators the state of the outbox and of the retry line: {@link
 * io.postroad.framework.internal.operate.PostroadHealth} for health checks, {@link
 * io.postroad.framework.internal.operate.OutboxOperations} for the management endpoint.
 */
@NullMarked
package io.postroad.framework.internal.operate;

import org.jspecify.annotations.NullMarked;
