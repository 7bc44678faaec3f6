package io.postroad.tck.contract;

import io.postroad.message.Message;
import io.postroad.store.Claim;
import io.postroad.store.LaneBatch;
import io.postroad.store.LaneEntry;
import io.postroad.store.LaneLease;
import io.postroad.store.LanePosition;
import io.postroad.store.OrderKey;
import io.postroad.store.OrderedStore;
import io.postroad.store.Settlement;
import io.postroad.tck.StoreUnderTest;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;

/** A node that owns a lane and reads it, for tests. */
final class LaneOwner {
  private final OrderedStore<Object> store;
  private final LaneLease lease;
  private LanePosition position;

  private LaneOwner(OrderedStore<Object> store, LaneLease lease) {
    this.store = store;
    this.lease = lease;
    this.position = lease.position();
  }

  /** Takes a lane that is free. */
  static LaneOwner take(OrderedStore<Object> store, int lane, String node) {
    LaneLease lease =
        store
            .take(lane, node, StoreUnderTest.LEASE)
            .orElseThrow(() -> new AssertionError("lane " + lane + " is not free for " + node));
    return new LaneOwner(store, lease);
  }

  /** Takes the only lane of a store with one lane. */
  static LaneOwner of(StoreUnderTest tck) throws Exception {
    return take(tck.ordered(1), 0, StoreUnderTest.OWNER);
  }

  /** Takes the only lane after its owner let the lease expire. */
  static LaneOwner takeOver(StoreUnderTest tck, String node) throws Exception {
    tck.advance(StoreUnderTest.LEASE.plusSeconds(1));
    return take(tck.ordered(1), 0, node);
  }

  LaneLease lease() {
    return lease;
  }

  /** One read, from where the last one ended. */
  LaneBatch read(int limit) {
    LaneBatch batch = store.read(lease, position, limit);
    position = batch.end();
    return batch;
  }

  /** Reads so many at a time until there is no more. */
  List<LaneEntry> readAll(int limit) {
    List<LaneEntry> all = new ArrayList<>();
    LaneBatch batch;
    do {
      batch = read(limit);
      all.addAll(batch.entries());
    } while (batch.full() || !batch.entries().isEmpty());
    return all;
  }

  List<Message> readMessages(int limit) {
    return messages(readAll(limit));
  }

  /** Reads on to a message, which must be the next and the only one. */
  Claim readOne(Message message) {
    List<LaneEntry> entries = readAll(10);
    if (!messages(entries).equals(List.of(message))) {
      throw new AssertionError("expected to read only " + message + ", got " + entries);
    }
    return entries.get(0).claim();
  }

  /** Everything read so far was delivered. */
  void settle() {
    settle(position);
  }

  void settle(LanePosition upTo) {
    store.advance(lease, upTo, List.of());
  }

  /** Everything read so far was delivered, but for these. */
  void hold(Settlement... held) {
    hold(List.of(held));
  }

  void hold(List<Settlement> held) {
    store.advance(lease, position, held);
  }

  Set<OrderKey> heldKeys() {
    return store.heldKeys(lease);
  }

  List<Claim> takeHeld(int limit) {
    return store.takeHeld(lease, limit);
  }

  /** Takes and delivers until nothing is due. */
  List<Message> deliverHeld() {
    List<Message> delivered = new ArrayList<>();
    List<Claim> claims = takeHeld(10);
    while (!claims.isEmpty()) {
      claims.forEach(claim -> delivered.add(claim.message()));
      settleHeld(claims.stream().<Settlement>map(Settlement.Delivered::new).toList());
      claims = takeHeld(10);
    }
    return delivered;
  }

  Set<OrderKey> settleHeld(Settlement... settlements) {
    return store.settleHeld(lease, List.of(settlements));
  }

  Set<OrderKey> settleHeld(Collection<Settlement> settlements) {
    return store.settleHeld(lease, settlements);
  }

  int admitDue(int limit) {
    return store.admitDue(lease, limit);
  }

  void release() {
    store.release(lease);
  }

  static List<Message> messages(List<LaneEntry> entries) {
    return entries.stream().map(LaneEntry::message).toList();
  }
}
