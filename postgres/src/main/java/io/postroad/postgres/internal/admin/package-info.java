/**
 * Carries out the decisions of operators, each with its audit entry in one transaction: {@link
 * io.postroad.postgres.internal.admin.DeadLetters}, {@link
 * io.postroad.postgres.internal.admin.BlockedKeys}, {@link
 * io.postroad.postgres.internal.admin.Pauses}, {@link io.postroad.postgres.internal.admin.Audit}.
 * {@link io.postroad.postgres.internal.admin.Inspector} and {@link
 * io.postroad.postgres.internal.admin.Diagnostics} only read.
 */
@NullMarked
package io.postroad.postgres.internal.admin;

import org.jspecify.annotations.NullMarked;
