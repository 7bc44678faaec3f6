package io.postroad.benchmarks.outbox;

import java.util.List;

/**
 * Creates the contenders of an entrant on one database.
 *
 * @param <A> the resources of a contender in a round
 */
record ContenderFactory<A>(Entrant entrant, Factory<A> factory) {

  /** Creates the contender of a round. */
  @FunctionalInterface
  interface Factory<A> {
    Contender enter(A arena) throws Exception;
  }

  static <A> List<Entrant> entrants(List<ContenderFactory<A>> factories) {
    return factories.stream().map(ContenderFactory::entrant).toList();
  }

  static <A> ContenderFactory<A> of(Entrant entrant, List<ContenderFactory<A>> factories) {
    return factories.stream()
        .filter(each -> each.entrant.equals(entrant))
        .findFirst()
        .orElseThrow(
            () -> new IllegalArgumentException("%s does not run here".formatted(entrant.label())));
  }

  Contender enter(A arena) throws Exception {
    return factory.enter(arena);
  }
}
