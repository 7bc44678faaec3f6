/** Holds the statements of the inbox: {@link io.postroad.postgres.internal.inbox.InboxSql}. */
@NullMarked
package io.postroad.postgres.internal.inbox;

import org.jspecify.annotations.NullMarked;
