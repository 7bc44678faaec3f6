/**
 * Real servers as child processes, for tests, the demo, the benchmarks and the fault suite; never
 * published.
 *
 * <p>{@link io.postroad.servers.PostgresServer}, {@link io.postroad.servers.PgBouncer}, {@link
 * io.postroad.servers.MongoServer}, {@link io.postroad.servers.KafkaServer} and {@link
 * io.postroad.servers.ArtemisServer} can be started, stopped, killed, frozen and restarted on their
 * data; {@link io.postroad.servers.ChildJvm} does the same to a Java main class. A {@code
 * GuardedProcess} is one such child and a {@code Watchdog} its guard: a shell blocked on a pipe
 * that only this JVM holds. However this JVM ends, the pipe ends with it, and the watchdog kills
 * what is left (frozen or not) and removes its files.
 *
 * <p>Needs Linux: processes are found and told apart through {@code /proc}, and signalled through
 * {@code sh}; nothing else of the machine is relied on.
 */
@NullMarked
package io.postroad.servers;

import org.jspecify.annotations.NullMarked;
