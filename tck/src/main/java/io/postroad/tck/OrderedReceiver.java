package io.postroad.tck;

import io.postroad.message.Message;
import io.postroad.spi.LaneBatch;
import io.postroad.spi.LaneEntry;
import io.postroad.spi.LaneLease;
import io.postroad.spi.LanePosition;
import io.postroad.spi.OrderedStore;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/** Owns every lane and reads them one after the other. */
final class OrderedReceiver implements Receiver {
  private static final int LIMIT = 1_000;

  private final OrderedStore<Object> store;
  private final List<Lane> lanes;

  OrderedReceiver(OrderedStore<Object> store) {
    this.store = store;
    this.lanes = IntStream.range(0, store.lanes().count()).mapToObj(Lane::new).toList();
  }

  @Override
  public List<Message> receive() {
    return lanes.stream().flatMap(lane -> lane.receive().stream()).toList();
  }

  @Override
  public void settleAll() {
    lanes.forEach(Lane::settle);
  }

  private final class Lane {
    private final LaneLease lease;
    private LanePosition position;

    Lane(int lane) {
      lease =
          store
              .lanes()
              .take(lane, StoreUnderTest.OWNER, StoreUnderTest.LEASE)
              .orElseThrow(() -> new AssertionError("lane " + lane + " is not free"));
      position = lease.position();
    }

    List<Message> receive() {
      store.log().admitDue(lease, LIMIT);
      List<Message> messages = new ArrayList<>();
      LaneBatch batch;
      do {
        batch = store.log().read(lease, position, LIMIT);
        batch.entries().stream().map(LaneEntry::message).forEach(messages::add);
        position = batch.end();
      } while (batch.full() || !batch.entries().isEmpty());
      return messages;
    }

    void settle() {
      store.log().advance(lease, position, List.of());
    }
  }
}
