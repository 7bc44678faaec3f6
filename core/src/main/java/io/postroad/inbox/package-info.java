/**
 * Incoming messages: RECEIVE, DEDUPLICATE, HANDLE, SETTLE. {@link io.postroad.inbox.Handlers} maps
 * destinations and types to handlers. A receiver passes each message as an {@link
 * io.postroad.inbox.Incoming} to the {@link io.postroad.inbox.Inbox}, which runs each handler once.
 * The inbox moves a failed message to the retry line, and later messages of its key behind it.
 *
 * <p>Without a broker, the relay of an outbox hands messages to {@link
 * io.postroad.inbox.Inbox#localSender()}, or workers claim them with {@link
 * io.postroad.inbox.Handlers#work()}.
 */
@NullMarked
package io.postroad.inbox;

import org.jspecify.annotations.NullMarked;
