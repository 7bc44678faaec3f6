/**
 * Micronaut makes Postroad of what an application has: a DataSource or a MongoDB client, its
 * transactions, a broker, beans with handlers.
 *
 * <p>Store, outbox, relay, inbox, commands, processes: each is a bean that an own bean replaces.
 * What cannot work is refused at the start, with the way out.
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
