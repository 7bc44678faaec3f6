package io.postroad.tck.contract.relay;

import static io.postroad.tck.contract.scene.DeadLetterScene.DECISION;
import static io.postroad.tck.contract.scene.Destinations.EAGER;
import static io.postroad.tck.contract.scene.Destinations.to;
import static org.assertj.core.api.Assertions.assertThat;

import io.postroad.message.Message;
import io.postroad.outbox.OutboxRelay;
import io.postroad.outbox.OutboxSignal;
import io.postroad.outbox.RelayOptions;
import io.postroad.store.BlockedDestination;
import io.postroad.tck.StoreContract;
import io.postroad.tck.StoreUnderTest;
import io.postroad.tck.contract.scene.Destinations;
import io.postroad.tck.contract.scene.Relays;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** A relay and a destination that is paused or down, while the others go on. */
@StoreContract
public final class RelayGateContract {
  private static final int MANY = 60;

  private static final RelayOptions PATIENT = EAGER.withProbeEvery(Duration.ofHours(1));

  private final Destinations destinations = new Destinations();

  @Test
  void nothingGoesToAPausedDestinationAndOthersGoOn(StoreUnderTest tck) throws Exception {
    List<Message> paused = many("a");
    List<Message> others = many("b");
    tck.store().pauses().pause("a", DECISION);
    Relays.append(tck.store(), paused);
    Relays.append(tck.store(), others);

    destinations.relay(tck, EAGER);

    destinations.awaitAllOf(tck, "b", others);
    awaitAside(tck, "a", MANY);
    assertThat(destinations.sentTo("a")).isZero();
    for (Message message : paused) {
      assertThat(tck.find(message.id()).attempts()).isZero();
      assertThat(tck.find(message.id()).lastError().orElse("")).contains("paused by tck");
    }

    tck.store().pauses().resume("a", DECISION);
    destinations.awaitAllOf(tck, "a", paused);
    Relays.eventually(tck, () -> assertThat(tck.store().blocked()).isEmpty());
  }

  @Test
  void aPauseReachesRelaysThatRun(StoreUnderTest tck) throws Exception {
    destinations.relay(tck, EAGER);
    Message before = to("a", "k");
    Relays.append(tck.store(), before);
    destinations.awaitInOrder(tck, "a", List.of(before));

    tck.anotherNode().pauses().pause("a", DECISION);
    Relays.eventually(
        tck,
        () ->
            assertThat(destinations.signals())
                .contains(
                    new OutboxSignal.DestinationPaused(
                        Relays.NAME, "a", DECISION.by(), DECISION.reason())));
    Message meanwhile = to("a", "k");
    Relays.append(tck.store(), meanwhile);
    awaitAside(tck, "a", 1);
    assertThat(destinations.sentTo("a")).isEqualTo(1);

    tck.anotherNode().pauses().resume("a", DECISION);
    destinations.awaitInOrder(tck, "a", List.of(before, meanwhile));
    assertThat(destinations.signals())
        .contains(new OutboxSignal.DestinationResumed(Relays.NAME, "a"));
  }

  @Test
  void aDestinationThatIsDownIsNotHammered(StoreUnderTest tck) throws Exception {
    destinations.fail("a", Destinations.BUSY);
    List<Message> messages = many("a");
    Relays.append(tck.store(), messages);

    destinations.relay(tck, PATIENT.withBatch(2).withMaxBatch(2));

    awaitAside(tck, "a", MANY);
    int sent = destinations.sentTo("a");
    assertThat(sent).as("until it was known, with what was in flight").isLessThan(MANY / 2);
    pump(tck, "b", 20);
    assertThat(destinations.sentTo("a")).as("still").isEqualTo(sent);
    int attempts = 0;
    for (Message message : messages) {
      attempts += tck.find(message.id()).attempts();
    }
    assertThat(attempts).isLessThanOrEqualTo(PATIENT.breakAfter());
    assertThat(
            destinations.signals().stream().filter(OutboxSignal.DestinationDown.class::isInstance))
        .as("told once")
        .hasSize(1);
  }

  @Test
  void itIsTriedUntilItIsBackAndNoAttemptIsCounted(StoreUnderTest tck) throws Exception {
    destinations.fail("a", Destinations.BUSY);
    List<Message> messages = many("a");
    Relays.append(tck.store(), messages);
    destinations.relay(tck, EAGER);
    awaitDown(tck, "a");

    destinations.awaitSentTo(tck, "a", destinations.sentTo("a") + 4 * Relays.MAX_ATTEMPTS);
    assertThat(tck.store().backlog().dead()).isZero();
    destinations.mend("a");

    destinations.awaitAllOf(tck, "a", messages);
    Relays.eventually(tck, () -> assertThat(tck.store().blocked()).isEmpty());
    assertThat(destinations.signals()).anyMatch(OutboxSignal.DestinationUp.class::isInstance);
    assertThat(tck.store().backlog().dead()).isZero();
    pump(tck, "a", 3);
  }

  @Test
  void aDestinationThatDoesNotAnswerIsTriedToo(StoreUnderTest tck) throws Exception {
    destinations.fail("a", Destinations.SILENT);
    List<Message> messages = many("a");
    Relays.append(tck.store(), messages);
    destinations.relay(tck, EAGER);
    awaitDown(tck, "a");
    destinations.awaitSentTo(tck, "a", destinations.sentTo("a") + 4 * Relays.MAX_ATTEMPTS);
    pump(tck, "b", 5);

    destinations.mend("a");

    destinations.awaitAllOf(tck, "a", messages);
    Relays.eventually(tck, () -> assertThat(tck.store().backlog().pending()).isZero());
  }

  /**
   * A relay that starts does not know the state of the destination, and must not send every message
   * to find out.
   */
  @Test
  void aRelayThatStartsTriesWithOneMessage(StoreUnderTest tck) throws Exception {
    destinations.fail("a", Destinations.BUSY);
    List<Message> messages = many("a");
    Relays.append(tck.store(), messages);
    OutboxRelay first = destinations.relay(tck, PATIENT);
    awaitAside(tck, "a", MANY);
    first.stop();
    int before = destinations.sentTo("a");

    destinations.relay(tck, PATIENT);

    destinations.awaitSentTo(tck, "a", before + 1);
    pump(tck, "b", 20);
    assertThat(destinations.sentTo("a")).isEqualTo(before + 1);
  }

  @Test
  void aPauseOutlivesItsRelayAndABrokenDestination(StoreUnderTest tck) throws Exception {
    destinations.fail("a", Destinations.BUSY);
    List<Message> messages = many("a");
    Relays.append(tck.store(), messages);
    OutboxRelay first = destinations.relay(tck, EAGER);
    awaitDown(tck, "a");
    tck.store().pauses().pause("a", DECISION);
    awaitAside(tck, "a", MANY);
    first.stop();
    destinations.mend("a");
    int before = destinations.sentTo("a");

    destinations.relay(tck, EAGER);
    pump(tck, "b", 20);
    assertThat(destinations.sentTo("a")).isEqualTo(before);

    tck.store().pauses().resume("a", DECISION);
    destinations.awaitAllOf(tck, "a", messages);
  }

  private void awaitDown(StoreUnderTest tck, String destination) throws Exception {
    Relays.eventually(
        tck,
        () ->
            assertThat(destinations.signals())
                .anyMatch(
                    signal ->
                        signal instanceof OutboxSignal.DestinationDown down
                            && down.destination().equals(destination)));
  }

  /** Messages that arrive one after the other, so that the relay has made as many passes. */
  private void pump(StoreUnderTest tck, String destination, int count) throws Exception {
    for (int i = 0; i < count; i++) {
      Message message = to(destination, "pump");
      Relays.append(tck.store(), message);
      Relays.eventually(
          tck, () -> assertThat(destinations.arrivedAt(destination)).contains(message));
    }
  }

  private static void awaitAside(StoreUnderTest tck, String destination, long messages)
      throws Exception {
    Relays.eventually(
        tck,
        () -> {
          List<BlockedDestination> waiting = tck.store().blocked();
          assertThat(waiting)
              .extracting(BlockedDestination::destination)
              .containsExactly(destination);
          assertThat(waiting).extracting(BlockedDestination::messages).containsExactly(messages);
        });
  }

  private static List<Message> many(String destination) {
    return IntStream.range(0, MANY).mapToObj(i -> to(destination, "k" + i % 20)).toList();
  }
}
