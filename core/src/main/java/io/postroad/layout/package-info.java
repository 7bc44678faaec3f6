/**
 * Layouts: how a table or collection that a team already has stores what an outbox needs. A {@link
 * io.postroad.layout.Layout} is plain data; the stores turn it into statements.
 */
@NullMarked
package io.postroad.layout;

import org.jspecify.annotations.NullMarked;
