/**
 * JSON payloads with Jackson 3. {@link io.postroad.jackson.JacksonJsonCodec} is the {@link
 * io.postroad.message.JsonCodec} for message builders and receivers.
 */
@NullMarked
package io.postroad.jackson;

import org.jspecify.annotations.NullMarked;
