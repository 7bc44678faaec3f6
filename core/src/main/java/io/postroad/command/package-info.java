/**
 * Commands: ACCEPT, CLAIM, HANDLE, REPLY.
 *
 * <ul>
 *   <li>{@link io.postroad.command.DomainCommand}: what is asked for; {@link
 *       io.postroad.command.CommandType} gives it a name.
 *   <li>{@link io.postroad.command.AutoCommandHandlerRegistry}: who does it. Methods of beans are
 *       DISCOVERED by convention and CONSOLIDATED to one per type; {@link
 *       io.postroad.command.CommandHandler}s are registered by hand.
 *   <li>{@link io.postroad.command.CommandReply}: how it ended.
 *   <li>{@link io.postroad.command.IdempotencyKeys}: what makes two requests the same one.
 * </ul>
 */
@NullMarked
package io.postroad.command;

import org.jspecify.annotations.NullMarked;
