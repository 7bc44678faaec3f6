/**
 * Spring Boot makes Postroad of what an application has: a DataSource or a MongoDB client, a
 * transaction manager, a broker, beans with handlers.
 *
 * <p>Store, outbox, relay, inbox, commands, processes: each is a bean that an own bean replaces.
 * What cannot work is refused at the start, with the way out.
 */
@NullMarked
package io.postroad.spring.boot;

import org.jspecify.annotations.NullMarked;
