/**
 * Keeps commands. {@link io.postroad.mongodb.internal.command.CommandAccepter} accepts, {@link
 * io.postroad.mongodb.internal.command.CommandClaimer} claims, {@link
 * io.postroad.mongodb.internal.command.ClaimedCommands} gives claims back, {@link
 * io.postroad.mongodb.internal.command.CommandFinisher} ends commands, {@link
 * io.postroad.mongodb.internal.command.CommandReader} reads.
 */
@NullMarked
package io.postroad.mongodb.internal.command;

import org.jspecify.annotations.NullMarked;
