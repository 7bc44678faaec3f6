package io.postroad.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.postroad.command.CommandBus;
import io.postroad.schema.SchemaMode;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A node is frozen (SIGSTOP) or dies (SIGKILL) inside of handlers that hold rows. Nothing of it
 * wakes up again during the test, so the server and the other node have to free the commands and
 * the rows.
 */
class FrozenCommandTest {
  /** Many times what is promised, and less than MongoDB itself lets a transaction live. */
  private static final Duration PATIENCE = Duration.ofSeconds(50);

  enum Fault {
    FROZEN,
    KILLED
  }

  static Stream<Arguments> ways() {
    return Stream.of(Product.values())
        .flatMap(
            product ->
                Stream.of(Fault.values())
                    .flatMap(
                        fault ->
                            Stream.of(false, true)
                                .map(accepts -> Arguments.of(product, fault, accepts))));
  }

  /**
   * Ends when each command has been handled on the other node.
   *
   * @param accepts whether the node has accepted its commands itself, and so runs them without
   *     asking the database for them
   */
  @ParameterizedTest
  @MethodSource("ways")
  void anotherNodeHandlesWhatANodeHadThatDoesNotAnswer(
      Product product, Fault fault, boolean accepts) throws Exception {
    HandlerDatabase database = product.commandDatabase();
    try (OpenCommands<?> open = database.openCommands("test", SchemaMode.MIGRATE)) {
      open.effects().oncePerKey();
      judge(database, open, fault, accepts);
    }
  }

  private static <T> void judge(
      HandlerDatabase database, OpenCommands<T> open, Fault fault, boolean accepts)
      throws Exception {
    try (CommandBus<T> bus = FrozenCommandProcess.bus(open, () -> {})) {
      if (!accepts) {
        acceptAll(bus);
      }
      try (HandlerChild child =
          HandlerChild.start(
              FrozenCommandProcess.class, database.text(), Boolean.toString(accepts))) {
        child.awaitLines(FrozenCommandProcess.HOLDING, FrozenCommandProcess.HANDLERS);
        if (fault == Fault.FROZEN) {
          child.freeze();
        } else {
          child.kill();
        }
        long began = System.nanoTime();
        bus.start();
        Set<UUID> ids = acceptAll(bus);
        Eventually.await(
            PATIENCE,
            () -> open.effects().messages() == ids.size(),
            () -> "commands are not handled: " + ids.stream().map(bus::find).toList());
        System.out.printf(
            "%s node, accepts=%s: handled elsewhere after %d ms, lease=%s%n",
            fault,
            accepts,
            Duration.ofNanos(System.nanoTime() - began).toMillis(),
            FrozenCommandProcess.LEASE);
        assertThat(EffectFindings.of(ids, open.effects().all()).once()).isTrue();
      }
    }
  }

  /** Accepts each one, or finds it where it was accepted before. */
  private static Set<UUID> acceptAll(CommandBus<?> bus) {
    Set<UUID> ids = new HashSet<>();
    for (int number = 0; number < FrozenCommandProcess.HANDLERS; number++) {
      ids.add(bus.accept(FrozenCommandProcess.request(number)));
    }
    return ids;
  }
}
