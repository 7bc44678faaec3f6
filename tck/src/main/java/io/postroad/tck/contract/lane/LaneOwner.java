package io.postroad.tck.contract.lane;

import io.postroad.message.Message;
import io.postroad.spi.Claim;
import io.postroad.spi.LaneBatch;
import io.postroad.spi.LaneEntry;
import io.postroad.spi.LaneLease;
import io.postroad.spi.LanePosition;
import io.postroad.spi.OrderedStore;
import io.postroad.spi.Settlement;
import io.postroad.store.OrderKey;
import io.postroad.tck.StoreUnderTest;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;

/** A node that owns a lane and reads it, for tests. */
public final class LaneOwner {
  private final OrderedStore<Object> store;
  private final LaneLease lease;
  private LanePosition position;

  private LaneOwner(OrderedStore<Object> store, LaneLease lease) {
    this.store = store;
    this.lease = lease;
    this.position = lease.position();
  }

  /** Takes a lane that is free. */
  public static LaneOwner take(OrderedStore<Object> store, int lane, String node) {
    LaneLease lease =
        store
            .lanes()
            .take(lane, node, StoreUnderTest.LEASE)
            .orElseThrow(() -> new AssertionError("lane " + lane + " is not free for " + node));
    return new LaneOwner(store, lease);
  }

  /** Takes the only lane of a store with one lane. */
  public static LaneOwner of(StoreUnderTest tck) throws Exception {
    return take(tck.ordered(1), 0, StoreUnderTest.OWNER);
  }

  /** Takes the only lane after its owner let the lease expire. */
  public static LaneOwner takeOver(StoreUnderTest tck, String node) throws Exception {
    tck.advance(StoreUnderTest.LEASE.plusSeconds(1));
    return take(tck.ordered(1), 0, node);
  }

  public LaneLease lease() {
    return lease;
  }

  /** One read, from where the last one ended. */
  public LaneBatch read(int limit) {
    LaneBatch batch = store.log().read(lease, position, limit);
    position = batch.end();
    return batch;
  }

  /** Reads so many at a time until there is no more. */
  public List<LaneEntry> readAll(int limit) {
    List<LaneEntry> all = new ArrayList<>();
    LaneBatch batch;
    do {
      batch = read(limit);
      all.addAll(batch.entries());
    } while (batch.full() || !batch.entries().isEmpty());
    return all;
  }

  public List<Message> readMessages(int limit) {
    return messages(readAll(limit));
  }

  /** Reads on to a message, which must be the next and the only one. */
  public Claim readOne(Message message) {
    List<LaneEntry> entries = readAll(10);
    if (!messages(entries).equals(List.of(message))) {
      throw new AssertionError("expected to read only " + message + ", got " + entries);
    }
    return entries.get(0).claim();
  }

  /** Everything read so far was delivered. */
  public void settle() {
    settle(position);
  }

  public void settle(LanePosition upTo) {
    store.log().advance(lease, upTo, List.of());
  }

  /** Everything read so far was delivered, but for these. */
  public void hold(Settlement... held) {
    hold(List.of(held));
  }

  public void hold(List<Settlement> held) {
    store.log().advance(lease, position, held);
  }

  public Set<OrderKey> blockedKeys() {
    return store.blockedMessages().keys(lease);
  }

  public List<Claim> takeBlocked(int limit) {
    return store.blockedMessages().take(lease, limit);
  }

  /** Takes and delivers until nothing is due. */
  public List<Message> deliverBlocked() {
    List<Message> delivered = new ArrayList<>();
    List<Claim> claims = takeBlocked(10);
    while (!claims.isEmpty()) {
      claims.forEach(claim -> delivered.add(claim.message()));
      settleBlocked(claims.stream().<Settlement>map(Settlement.Delivered::new).toList());
      claims = takeBlocked(10);
    }
    return delivered;
  }

  public Set<OrderKey> settleBlocked(Settlement... settlements) {
    return store.blockedMessages().settle(lease, List.of(settlements));
  }

  public Set<OrderKey> settleBlocked(Collection<Settlement> settlements) {
    return store.blockedMessages().settle(lease, settlements);
  }

  public int admitDue(int limit) {
    return store.log().admitDue(lease, limit);
  }

  public void release() {
    store.lanes().release(lease);
  }

  static List<Message> messages(List<LaneEntry> entries) {
    return entries.stream().map(LaneEntry::message).toList();
  }
}
