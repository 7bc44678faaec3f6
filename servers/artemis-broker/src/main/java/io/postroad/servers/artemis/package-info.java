/**
 * An Artemis broker in a JVM of its own, and the one thing that is asked of it from outside: to
 * declare a queue. Runs on the class path that the build writes for it; no module compiles against
 * it.
 */
@NullMarked
package io.postroad.servers.artemis;

import org.jspecify.annotations.NullMarked;
