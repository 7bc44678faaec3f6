package io.postroad.benchmarks.outbox;

import io.postroad.message.Message;
import io.postroad.spi.Claim;
import io.postroad.spi.LaneBatch;
import io.postroad.spi.LaneEntry;
import io.postroad.spi.LaneLease;
import io.postroad.spi.LanePosition;
import io.postroad.spi.OrderedStore;
import io.postroad.spi.Settlement;
import io.postroad.store.OrderKey;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Blocks keys of a lane, as its owner does when their first messages are refused for good.
 *
 * @param <T> a transaction
 */
final class KeyBlocker<T> {
  private static final int CHUNK = 1_000;
  private static final Duration DEDUPLICATE_FOR = Duration.ofDays(1);

  private final OrderedStore<T> store;
  private final LaneLease lease;
  private final String destination;
  private final Set<OrderKey> blocked = new HashSet<>();
  private LanePosition position;

  KeyBlocker(OrderedStore<T> store, LaneLease lease, String destination) {
    this.store = store;
    this.lease = lease;
    this.destination = destination;
    this.position = lease.position();
  }

  void block(int keys, int each) {
    List<Message> chunk = new ArrayList<>();
    for (int key = 0, done = 0; done < keys; key++) {
      if (OrderKey.of(message(key)).lane(store.lanes().count()) != lease.lane()) {
        continue;
      }
      for (int i = 0; i < each; i++) {
        chunk.add(message(key));
      }
      done++;
      if (chunk.size() >= CHUNK || done == keys) {
        List<Message> messages = List.copyOf(chunk);
        store
            .transactions()
            .run(transaction -> store.append(transaction, messages, DEDUPLICATE_FOR));
        hold(messages.size());
        chunk.clear();
      }
    }
  }

  private void hold(int messages) {
    for (int held = 0; held < messages; ) {
      LaneBatch batch = store.log().read(lease, position, CHUNK);
      store
          .log()
          .advance(
              lease,
              batch.end(),
              batch.entries().stream().map(LaneEntry::claim).map(this::settlement).toList());
      position = batch.end();
      held += batch.entries().size();
    }
  }

  private Settlement settlement(Claim claim) {
    return blocked.add(OrderKey.of(claim.message()))
        ? new Settlement.Dead(claim, "refused by the benchmark")
        : new Settlement.Release(claim, Duration.ZERO, "waits behind it");
  }

  private Message message(int key) {
    return Message.event(Event.TYPE)
        .to(destination)
        .key("blocked-" + key)
        .json(new Event(0, 0).payload())
        .build();
  }
}
