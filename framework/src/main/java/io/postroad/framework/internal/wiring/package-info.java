/**
 * Decides how the parts of an application are put together: {@link
 * io.postroad.framework.internal.wiring.ConnectionBudget} divides the connection pool among the
 * handlers, {@link io.postroad.framework.internal.wiring.Transports} chooses the sender of the
 * relay, {@link io.postroad.framework.internal.wiring.Observers} calls all observers as one.
 */
@NullMarked
package io.postroad.framework.internal.wiring;

import org.jspecify.annotations.NullMarked;
