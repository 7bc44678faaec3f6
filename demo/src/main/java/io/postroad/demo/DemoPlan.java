package io.postroad.demo;

import java.time.Duration;

/**
 * The durations and the load of the demo.
 *
 * @param customersAtOnce the number of ordering threads
 * @param ordersPerSecond the rate of all threads together
 * @param rollBackEvery one of this many orders is rolled back before its commit
 * @param calm the time with a working broker
 * @param outage the least time without a broker; stopping and starting it takes longer
 * @param recovery the time of further orders after the broker is back
 * @param drainWithin the time after which missing events count as lost; long, for slow machines
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

  /** Returns a plan of a few seconds, for the build. */
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
