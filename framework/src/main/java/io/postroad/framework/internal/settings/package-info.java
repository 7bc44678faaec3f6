/**
 * Turns the properties {@code postroad.*} into options. Each framework binds its own records, which
 * carry the defaults and the texts of the properties, and which implement the interfaces here:
 * {@link io.postroad.framework.internal.settings.CommandSettings}, {@link
 * io.postroad.framework.internal.settings.RelaySettings} and so on. {@link
 * io.postroad.framework.internal.settings.Refusals} names the property when options refuse a value.
 */
@NullMarked
package io.postroad.framework.internal.settings;

import org.jspecify.annotations.NullMarked;
