/**
 * Makes Postroad from the beans of a Micronaut application: a DataSource or a MongoDB client, its
 * transactions, a broker, beans with handlers.
 *
 * <p>Store, outbox, relay, inbox, commands and processes are beans, each of which a bean of the
 * application replaces. A configuration that cannot work is refused at the start, with the action
 * that mends it.
 */
@NullMarked
@Configuration
@Requires(condition = OnSwitch.Postroad.class)
package io.postroad.micronaut;

import io.micronaut.context.annotation.Configuration;
import io.micronaut.context.annotation.Requires;
import io.postroad.micronaut.internal.settings.OnSwitch;
import org.jspecify.annotations.NullMarked;
import io.postroad.micronaut.internal.settings.OnSwitch;
