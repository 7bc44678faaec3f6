/**
 * Runs commands.
 *
 * <ol>
 *   <li>Accept: {@link io.postroad.internal.command.CommandAcceptor} writes the row; {@link
 *       io.postroad.internal.command.StepHandoff} accepts a command that this node runs at once.
 *   <li>Claim: {@link io.postroad.internal.command.CommandClaimer} claims due commands and gives
 *       each to a thread.
 *   <li>Handle: {@link io.postroad.internal.command.CommandRun} runs the handler in a transaction
 *       that {@link io.postroad.internal.command.WatchedTransaction} watches; {@link
 *       io.postroad.internal.command.Transience} decides whether a failure is tried again.
 *   <li>Reply: {@link io.postroad.internal.command.CommandCompleter} writes the outcome and the
 *       reply; {@link io.postroad.internal.command.ReplyFutures} completes the futures of waiting
 *       callers.
 * </ol>
 *
 * <p>{@link io.postroad.internal.command.CommandReceiver} and {@link
 * io.postroad.internal.command.CommandWire} carry commands and replies over a broker. {@link
 * io.postroad.internal.command.CommandSweeper} ends commands whose deadline has passed; {@link
 * io.postroad.internal.command.UndeliveredCommands} ends commands whose message became a dead
 * letter.
 */
@NullMarked
package io.postroad.internal.command;

import org.jspecify.annotations.NullMarked;
