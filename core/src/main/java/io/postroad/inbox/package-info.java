/**
 * Messages that come in: RECEIVE, DEDUPLICATE, HANDLE, SETTLE.
 *
 * <ul>
 *   <li>{@link io.postroad.inbox.Handlers}: who handles what.
 *   <li>{@link io.postroad.inbox.Inbox}: takes messages from a receiver, has each handled once and
 *       moves those that fail to the retry line, with the rest of their key.
 *   <li>{@link io.postroad.inbox.Incoming}: a message as a transport got it.
 * </ul>
 *
 * <p>Without a broker the relay of an outbox hands messages to {@link
 * io.postroad.inbox.Inbox#localSender()}, or workers take them from it with {@link
 * io.postroad.inbox.Handlers#work()}.
 */
@NullMarked
package io.postroad.inbox;

import org.jspecify.annotations.NullMarked;
