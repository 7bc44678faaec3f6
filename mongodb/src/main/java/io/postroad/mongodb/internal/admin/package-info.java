/**
 * Carries out the decisions of operators with their audit entries: {@link
 * io.postroad.mongodb.internal.admin.QueueDeadLetters}, {@link
 * io.postroad.mongodb.internal.admin.LogDeadLetters}, {@link
 * io.postroad.mongodb.internal.admin.BlockedDecisions}, {@link
 * io.postroad.mongodb.internal.admin.Pauses}, {@link
 * io.postroad.mongodb.internal.admin.AuditTrail}. {@link
 * io.postroad.mongodb.internal.admin.QueueInspector}, {@link
 * io.postroad.mongodb.internal.admin.LogInspector} and {@link
 * io.postroad.mongodb.internal.admin.Diagnostics} only read.
 */
@NullMarked
package io.postroad.mongodb.internal.admin;

import org.jspecify.annotations.NullMarked;
