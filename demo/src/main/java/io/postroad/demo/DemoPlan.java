package io.postroad.demo;

import java.time.Duration;

/**
 * How long the parts of the demo take and how much happens in them.
 *
 * @param customersAtOnce threads that order
 * @param ordersPerSecond of all of them together
 * @param rollBackEvery one order in so many is taken back before its commit
 * @param calm orders flow, all is well
 * @param outage the broker stays away for at least this long; stopping and starting it adds to it
 * @param recovery orders go on flowing after the broker is back
 * @param drainWithin what has not arrived by then counts as lost; long, for slow machines
 */
record DemoPlan(
    int customersAtOnce,
    int ordersPerSecond,
    int rollBackEvery,
    Duration calm,
    Duration outage,
    Duration recovery,
    Duration drainWithin) {

  static DemoPlan standard() {
    return new DemoPlan(
        4,
        400,
        20,
        Duration.ofSeconds(7),
        Duration.ofSeconds(4),
        Duration.ofSeconds(4),
        Duration.ofMinutes(3));
  }

  /** The same in a few seconds, for the build. */
  static DemoPlan brief() {
    return new DemoPlan(
        2,
        100,
        10,
        Duration.ofSeconds(1),
        Duration.ofMillis(500),
        Duration.ofSeconds(1),
        Duration.ofMinutes(3));
  }
}
