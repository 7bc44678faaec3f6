package io.postroad.tck.contract.relay;

import static io.postroad.tck.contract.scene.DeadLetterScene.DECISION;
import static io.postroad.tck.contract.scene.Destinations.EAGER;
import static io.postroad.tck.contract.scene.Destinations.to;
import static org.assertj.core.api.Assertions.assertThat;

import io.postroad.message.Message;
import io.postroad.outbox.OutboxRelay;
import io.postroad.outbox.RelayOptions;
import io.postroad.store.OrderKey;
import io.postroad.tck.OrderedOnly;
import io.postroad.tck.StoreContract;
import io.postroad.tck.StoreUnderTest;
import io.postroad.tck.contract.scene.Destinations;
import io.postroad.tck.contract.scene.Relays;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Order through destinations that go down, are paused and come back. */
@StoreContract
@OrderedOnly
public final class RelayGateOrderContract {
  /** So many attempts that none dies of all that happens to it. */
  private static final RelayOptions CHAOTIC =
      EAGER.withBatch(5).withMaxBatch(10).withMaxAttempts(1_000);

  private final Destinations destinations = new Destinations();

  @Test
  void aKeyKeepsItsOrderThroughAPause(StoreUnderTest tck) throws Exception {
    List<Message> line = line("a", 30);
    destinations.relay(tck, EAGER);
    Relays.append(tck.store(), line.subList(0, 10));
    tck.store().pauses().pause("a", DECISION);
    for (Message message : line.subList(10, 20)) {
      Relays.append(tck.store(), message);
    }
    tck.store().pauses().resume("a", DECISION);
    for (Message message : line.subList(20, 30)) {
      Relays.append(tck.store(), message);
    }

    destinations.awaitInOrder(tck, "a", line);
  }

  /** Rewriting every message would cost much and help no key. */
  @Test
  void whileNobodyAnswersNothingStepsAside(StoreUnderTest tck) throws Exception {
    destinations.fail("a", Destinations.SILENT);
    destinations.fail("b", Destinations.SILENT);
    List<Message> a = line("a", 20);
    List<Message> b = line("b", 20);
    Relays.append(tck.store(), a);
    Relays.append(tck.store(), b);

    destinations.relay(tck, EAGER);

    destinations.awaitSentTo(tck, "a", 20);
    destinations.awaitSentTo(tck, "b", 20);
    assertThat(tck.store().blocked()).isEmpty();
    destinations.mend("b");
    destinations.mend("a");
    destinations.awaitInOrder(tck, "a", a);
    destinations.awaitInOrder(tck, "b", b);
  }

  @Test
  void othersBehindALongLineOfASilentDestinationGoOn(StoreUnderTest tck) throws Exception {
    tck.ordered(1);
    destinations.fail("a", Destinations.SILENT);
    List<Message> a = line("a", 50);
    List<Message> b = line("b", 3);
    Relays.append(tck.store(), a);
    Relays.append(tck.store(), b);

    destinations.relay(tck, EAGER.withBatch(4).withMaxBatch(4));

    destinations.awaitInOrder(tck, "b", b);
    destinations.mend("a");
    destinations.awaitInOrder(tck, "a", a);
  }

  @Test
  void firstOccurrencesStayInOrderHoweverDestinationsComeAndGo(StoreUnderTest tck)
      throws Exception {
    long seed = new Random().nextLong();
    Random random = new Random(seed);
    List<String> names = List.of("a", "b");
    Map<OrderKey, List<Message>> lines = new LinkedHashMap<>();
    OutboxRelay relay = destinations.relay(tck, CHAOTIC);
    for (int step = 0; step < 150; step++) {
      String name = names.get(random.nextInt(2));
      switch (random.nextInt(9)) {
        case 0 -> destinations.fail(name, Destinations.BUSY);
        case 1 -> destinations.fail(name, Destinations.SILENT);
        case 2, 3 -> destinations.mend(name);
        case 4 -> tck.store().pauses().pause(name, DECISION);
        case 5, 6 -> tck.store().pauses().resume(name, DECISION);
        case 7 -> {
          if (random.nextInt(4) == 0) {
            relay.stop();
            relay = destinations.relay(tck, CHAOTIC);
          }
        }
        default -> {}
      }
      List<Message> some = new ArrayList<>();
      for (int i = random.nextInt(5); i >= 0; i--) {
        Message message = to(names.get(random.nextInt(2)), "k" + random.nextInt(4));
        some.add(message);
        lines.computeIfAbsent(OrderKey.of(message), key -> new ArrayList<>()).add(message);
      }
      Relays.append(tck.store(), some);
    }
    names.forEach(destinations::mend);
    for (String name : names) {
      tck.store().pauses().resume(name, DECISION);
    }

    for (Map.Entry<OrderKey, List<Message>> line : lines.entrySet()) {
      Relays.eventually(
          tck,
          () ->
              assertThat(firstOccurrences(line.getKey()))
                  .as("of %s, seed %d", line.getKey(), seed)
                  .containsExactlyElementsOf(line.getValue()));
    }
    Relays.eventually(tck, () -> assertThat(tck.store().backlog().pending()).isZero());
    assertThat(tck.store().backlog().dead()).as("seed %d", seed).isZero();
    assertThat(tck.store().blocked()).isEmpty();
  }

  private List<Message> firstOccurrences(OrderKey key) {
    Set<Message> all = new LinkedHashSet<>(destinations.arrivedAt(key.destination()));
    return all.stream().filter(message -> OrderKey.of(message).equals(key)).toList();
  }

  private static List<Message> line(String destination, int count) {
    return IntStream.range(0, count).mapToObj(i -> to(destination, "k")).toList();
  }
}
