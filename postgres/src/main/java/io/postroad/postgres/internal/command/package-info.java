/**
 * Keeps commands. {@link io.postroad.postgres.internal.command.CommandAccepter} accepts, {@link
 * io.postroad.postgres.internal.command.CommandClaimer} claims, {@link
 * io.postroad.postgres.internal.command.CommandSteps} opens and finishes a run, {@link
 * io.postroad.postgres.internal.command.CommandReturns} gives a claim back, {@link
 * io.postroad.postgres.internal.command.CommandLookup} reads.
 */
@NullMarked
package io.postroad.postgres.internal.command;

import org.jspecify.annotations.NullMarked;
