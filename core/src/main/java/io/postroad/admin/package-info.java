/**
 * Carries out decisions about a running outbox ({@link io.postroad.admin.OutboxAdmin}) and finds
 * what is wrong with it: {@link io.postroad.admin.OutboxDoctor}.
 */
@NullMarked
package io.postroad.admin;

import org.jspecify.annotations.NullMarked;
