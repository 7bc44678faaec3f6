/**
 * Runs commands.
 *
 * <ol>
 *   <li>Accept: {@link io.postroad.internal.command.CommandAcceptor} writes the row; {@link
 *       io.postroad.internal.command.CommandRoutes} knows which commands other services handle.
 *   <li>Claim: {@link io.postroad.internal.command.CommandClaimer} claims due commands and gives
 *       each to a thread of {@link io.postroad.internal.command.RunThreads}.
 *   <li>Handle: {@link io.postroad.internal.command.CommandRun} runs the handler in a {@link
 *       io.postroad.internal.command.WatchedTransaction}; {@link
 *       io.postroad.internal.command.CommandHandlers} decides whether a failure is retried.
 *   <li>Reply: {@link io.postroad.internal.command.CommandCompleter} writes the outcome and the
 *       reply; {@link io.postroad.internal.command.ReplyFutures} completes waiting futures.
 * </ol>
 *
 * <p>{@link io.postroad.internal.command.StepCommands} is the port for processes, and {@link
 * io.postroad.internal.command.StepListener} its reply side. {@link
 * io.postroad.internal.command.StepHandoff} implements the port: it has this node run the command
 * of the next step at once, as the next one of a {@link io.postroad.internal.command.Chain}.
 *
 * <p>{@link io.postroad.internal.command.CommandReceiver} receives commands and replies over a
 * broker, and {@link io.postroad.internal.command.CommandWire} turns them into messages. {@link
 * io.postroad.internal.command.CommandSweeper} ends commands whose deadline has passed; {@link
 * io.postroad.internal.command.UndeliveredCommands} ends commands whose message became a dead
 * letter. {@link io.postroad.internal.command.BusLoops} starts and stops all of it.
 */
@NullMarked
package io.postroad.internal.command;

import org.jspecify.annotations.NullMarked;
