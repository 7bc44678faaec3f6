package io.postroad.spring.boot;

import org.jspecify.annotations.Nullable;

/** How many connections handlers, requests and everything else share. */
@FunctionalInterface
interface PoolSize {

  /** Null where it is not known, or has no bound. */
  @Nullable Integer max();
}
