/**
 * Remembers messages of the inbox: {@link io.postroad.mongodb.internal.inbox.InboxEntries} has one
 * document per message and handler, {@link io.postroad.mongodb.internal.inbox.InboxLines} one per
 * message that waits in a retry line.
 */
@NullMarked
package io.postroad.mongodb.internal.inbox;

import org.jspecify.annotations.NullMarked;
