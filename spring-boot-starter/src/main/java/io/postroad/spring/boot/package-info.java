/**
 * Makes Postroad from the beans of a Spring Boot application: a DataSource or a MongoDB client, a
 * transaction manager, a broker, beans with handlers.
 *
 * <p>Store, outbox, relay, inbox, commands and processes are beans, each of which a bean of the
 * application replaces. A configuration that cannot work is refused at the start, with the action
 * that mends it.
 */
@NullMarked
package io.postroad.spring.boot;

import org.jspecify.annotations.NullMarked;
