/**
 * For stores whose nodes give each other hints: {@link io.postroad.store.hint.NodeWakeUps} does
 * what is the same over every database, {@link io.postroad.store.hint.HintChannel} is what differs.
 */
@NullMarked
package io.postroad.store.hint;

import org.jspecify.annotations.NullMarked;
