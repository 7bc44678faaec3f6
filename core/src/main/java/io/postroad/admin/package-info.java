/**
 * What people and tools do to a running outbox: {@link io.postroad.admin.OutboxAdmin}. Console, CLI
 * and health checks are built on it.
 */
@NullMarked
package io.postroad.admin;

import org.jspecify.annotations.NullMarked;
