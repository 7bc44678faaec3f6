/**
 * What people and tools do to a running outbox: {@link io.postroad.admin.OutboxAdmin}; what is
 * wrong with it: {@link io.postroad.admin.OutboxDoctor}.
 */
@NullMarked
package io.postroad.admin;

import org.jspecify.annotations.NullMarked;
