/**
 * What travels: messages, their payloads, headers and ids. Values only; nothing here touches a
 * database or a broker, so everything is immutable and safe to share between threads.
 *
 * <p>The next package up is {@code io.postroad.store}, which keeps messages.
 */
@NullMarked
package io.postroad.message;

import org.jspecify.annotations.NullMarked;
