/**
 * Helps the auto-configurations: conditions ({@link io.postroad.spring.boot.internal.OnStore},
 * {@link io.postroad.spring.boot.internal.OnCommands}, {@link
 * io.postroad.spring.boot.internal.ConditionalOnInbox}), checks at the start ({@link
 * io.postroad.spring.boot.internal.StoreCheck}), the life cycle of a part ({@link
 * io.postroad.spring.boot.internal.PartLifecycle}), and texts for failures at the start.
 */
@NullMarked
package io.postroad.spring.boot.internal;

import org.jspecify.annotations.NullMarked;
