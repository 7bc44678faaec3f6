package io.postroad.benchmarks.outbox;

import java.util.List;

/**
 * An entrant on one database.
 *
 * @param <A> what contenders on that database may use in a round
 */
record Seat<A>(Entrant entrant, Factory<A> factory) {

  /** Makes the contender of a round. */
  @FunctionalInterface
  interface Factory<A> {
    Contender enter(A arena) throws Exception;
  }

  static <A> List<Entrant> entrants(List<Seat<A>> seats) {
    return seats.stream().map(Seat::entrant).toList();
  }

  static <A> Seat<A> of(Entrant entrant, List<Seat<A>> seats) {
    return seats.stream()
        .filter(seat -> seat.entrant.equals(entrant))
        .findFirst()
        .orElseThrow(
            () -> new IllegalArgumentException("%s does not run here".formatted(entrant.label())));
  }

  Contender enter(A arena) throws Exception {
    return factory.enter(arena);
  }
}
