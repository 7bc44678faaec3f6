package io.postroad.tck.contract.lane;

import static org.assertj.core.api.Assertions.assertThat;

import io.postroad.message.Message;
import io.postroad.spi.Claim;
import io.postroad.spi.LaneBatch;
import io.postroad.spi.Membership;
import io.postroad.spi.OrderedStore;
import io.postroad.spi.Settlement;
import io.postroad.store.OrderKey;
import io.postroad.store.StoredMessage;
import io.postroad.tck.StoreUnderTest;
import io.postroad.tck.contract.scene.Samples;
import java.time.Duration;
import java.util.List;
import java.util.Set;

/**
 * A lane with something for every verb to do: a message that was delivered, two that are held back
 * and due, the first of them taken, one that was read and not settled, one that was never read and
 * one that is scheduled and due.
 */
public final class LaneScene {
  private final OrderedStore<Object> store;
  final Message delivered = Samples.ordered("delivered");
  public final Message held = Samples.ordered("held");
  public final Message follower = Samples.ordered("held");
  public final Message unsettled = Samples.ordered("unsettled");
  public final Message unread = Samples.ordered("unread");
  public final Message scheduled;
  public final LaneOwner owner;
  final Claim heldClaim;
  final LaneBatch readBatch;

  public LaneScene(StoreUnderTest tck) throws Exception {
    this.store = tck.ordered(1);
    this.owner = LaneOwner.of(tck);
    this.scheduled = Samples.notBefore(store.now().plus(Duration.ofMinutes(1)));
    tck.append(delivered, held, follower, scheduled);
    List<Claim> claims = owner.readAll(10).stream().map(entry -> entry.claim()).toList();
    assertThat(claims).hasSize(3);
    owner.hold(
        new Settlement.Retry(claims.get(1), Duration.ofMinutes(1), "failed by the test"),
        new Settlement.Release(claims.get(2), Duration.ZERO, "waits"));
    tck.advance(Duration.ofMinutes(2));
    this.heldClaim = owner.takeBlocked(1).get(0);
    tck.append(unsettled);
    this.readBatch = owner.read(10);
    tck.append(unread);
  }

  OrderedStore<Object> store() {
    return store;
  }

  List<Message> messages() {
    return List.of(delivered, held, follower, unsettled, unread, scheduled);
  }

  /** Returns the visible state of the lane, as its owner sees it. */
  Observed observe(LaneOwner now) throws Exception {
    List<StoredMessage> stored =
        messages().stream().flatMap(message -> store.find(message.id()).stream()).toList();
    return new Observed(
        stored,
        store.backlog().pending(),
        store.backlog().dead(),
        store.lanes().heartbeat("observer", Duration.ofMinutes(1)).lanes(),
        now.blockedKeys(),
        LaneOwner.messages(store.log().read(now.lease(), now.lease().position(), 100).entries()));
  }

  record Observed(
      List<StoredMessage> stored,
      long pending,
      long dead,
      List<Membership.LaneOwner> seats,
      Set<OrderKey> blockedKeys,
      List<Message> toRead) {}
}
