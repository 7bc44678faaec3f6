package io.postroad.tck.contract.lane;

import static org.assertj.core.api.Assertions.assertThat;

import io.postroad.message.Message;
import io.postroad.spi.OrderedStore;
import io.postroad.store.OrderKey;
import io.postroad.tck.OrderedOnly;
import io.postroad.tck.StoreContract;
import io.postroad.tck.StoreUnderTest;
import io.postroad.tck.contract.scene.Ending;
import io.postroad.tck.contract.scene.Samples;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** How messages are spread over lanes: by key, for ever, and each lane for itself. */
@StoreContract
@OrderedOnly
public final class LaneSpreadContract {
  private static final int LANES = 4;

  /** lanes: the same on every node. */
  @Test
  void everyNodeHasTheSameLanes(StoreUnderTest tck) throws Exception {
    assertThat(tck.ordered(LANES).lanes().count()).isEqualTo(LANES);
    assertThat(StoreUnderTest.ordered(tck.anotherNode()).lanes().count()).isEqualTo(LANES);
  }

  @Test
  void aStoreMayHaveOneLane(StoreUnderTest tck) throws Exception {
    OrderedStore<Object> store = tck.ordered(1);
    List<Message> messages = Samples.messages(10);
    tck.append(messages);

    assertThat(LaneOwner.take(store, 0, "node-1").readMessages(100))
        .containsExactlyElementsOf(messages);
  }

  /** {@link OrderKey#lane} decides, with a key and without. */
  @Test
  void eachMessageIsInTheLaneOfItsKeyAndInNoOther(StoreUnderTest tck) throws Exception {
    OrderedStore<Object> store = tck.ordered(LANES);
    List<Message> messages = new ArrayList<>(Samples.messages(50));
    for (int i = 0; i < 50; i++) {
      messages.add(Samples.ordered("key-" + i));
    }
    tck.append(messages);

    for (int lane = 0; lane < LANES; lane++) {
      int number = lane;
      List<Message> expected =
          messages.stream().filter(one -> OrderKey.of(one).lane(LANES) == number).toList();
      assertThat(expected).as("messages of lane %d", lane).isNotEmpty();
      assertThat(LaneOwner.take(store, lane, "node-1").readMessages(100))
          .containsExactlyElementsOf(expected);
    }
  }

  @Test
  void aKeyHasOneLaneWhateverTheDestination(StoreUnderTest tck) throws Exception {
    OrderedStore<Object> store = tck.ordered(LANES);
    Message one = Message.event("A").to("one").key("k").json("{}").build();
    Message two = Message.event("A").to("two").key("k").json("{}").build();
    tck.append(one, two);
    int lane = OrderKey.of(one).lane(LANES);

    assertThat(LaneOwner.take(store, lane, "node-1").readMessages(10)).containsExactly(one, two);
  }

  @Test
  void lanesAreTakenReadAndSettledEachForItself(StoreUnderTest tck) throws Exception {
    OrderedStore<Object> store = tck.ordered(LANES);
    OrderedStore<Object> another = StoreUnderTest.ordered(tck.anotherNode());
    Message here = inLane(1);
    Message there = inLane(2);
    tck.append(here, there);
    LaneOwner one = LaneOwner.take(store, 1, "node-1");
    LaneOwner two = LaneOwner.take(another, 2, "node-2");

    assertThat(one.readMessages(10)).containsExactly(here);
    one.settle();
    one.release();

    assertThat(LaneOwner.take(store, 1, "node-1").readMessages(10)).isEmpty();
    assertThat(two.readMessages(10)).containsExactly(there);
  }

  @Test
  void heldMessagesStayInTheirLane(StoreUnderTest tck) throws Exception {
    OrderedStore<Object> store = tck.ordered(LANES);
    Message message = inLane(1);
    tck.append(message);
    LaneOwner one = LaneOwner.take(store, 1, "node-1");
    LaneOwner two = LaneOwner.take(store, 2, "node-1");
    one.hold(Ending.RETRY.of(one.readOne(message)));
    tck.advance(Ending.DELAY.plusSeconds(1));

    assertThat(two.blockedKeys()).isEmpty();
    assertThat(two.takeBlocked(10)).isEmpty();
    assertThat(one.blockedKeys()).containsExactly(OrderKey.of(message));
    assertThat(one.takeBlocked(10)).hasSize(1);
  }

  /** A message with a key of this lane. */
  private static Message inLane(int lane) {
    for (int i = 0; i < 1_000; i++) {
      Message message = Samples.ordered("key-" + i);
      if (OrderKey.of(message).lane(LANES) == lane) {
        return message;
      }
    }
    throw new AssertionError("no key for lane " + lane);
  }
}
