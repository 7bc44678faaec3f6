/**
 * Commands: ACCEPT, CLAIM, HANDLE, REPLY.
 *
 * <ul>
 *   <li>{@link io.postroad.command.CommandBus}: accepts a {@link
 *       io.postroad.command.CommandRequest}, has it handled, and keeps its {@link
 *       io.postroad.command.CommandReply}.
 *   <li>{@link io.postroad.command.DomainCommand}: a command as an object; {@link
 *       io.postroad.command.CommandType} gives it a name.
 *   <li>{@link io.postroad.command.AutoCommandHandlerRegistry}: finds the handlers. Methods of
 *       beans are DISCOVERED by convention and CONSOLIDATED to one per type; {@link
 *       io.postroad.command.CommandHandler}s are registered by hand.
 *   <li>{@link io.postroad.command.IdempotencyKeys}: decide whether two requests are the same.
 *   <li>{@link io.postroad.command.ReplyListener}: takes part in the transaction that ends a
 *       command.
 * </ul>
 */
@NullMarked
package io.postroad.command;

import org.jspecify.annotations.NullMarked;
