/**
 * JSON for payloads on Jackson 3: {@link io.postroad.jackson.JacksonJsonCodec} is the {@link
 * io.postroad.message.JsonCodec} to hand to a message builder or a receiver.
 */
@NullMarked
package io.postroad.jackson;

import org.jspecify.annotations.NullMarked;
