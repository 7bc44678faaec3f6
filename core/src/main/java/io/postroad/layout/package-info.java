/**
 * Layouts of tables and collections that a team already has. A {@link io.postroad.layout.Layout} is
 * plain data: the column of each {@link io.postroad.layout.Field}, the words of {@link
 * io.postroad.layout.Statuses}, and a {@link io.postroad.layout.Fallback} for fields without a
 * column. The stores make statements of it; {@link io.postroad.layout.Layouts} has those that come
 * with Postroad.
 */
@NullMarked
package io.postroad.layout;

import org.jspecify.annotations.NullMarked;
