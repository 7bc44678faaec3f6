package io.postroad.tck.contract.scene;

import static org.assertj.core.api.Assertions.assertThat;

import io.postroad.message.Message;
import io.postroad.spi.Claim;
import io.postroad.spi.DeadLetterStore;
import io.postroad.spi.LaneEntry;
import io.postroad.spi.OrderedStore;
import io.postroad.spi.Settlement;
import io.postroad.store.Decision;
import io.postroad.store.OrderKey;
import io.postroad.tck.StoreUnderTest;
import io.postroad.tck.contract.lane.LaneOwner;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/** Kills messages and delivers them again, on either kind of store. */
public final class DeadLetterScene {
  public static final Decision DECISION = new Decision("tck", "because the contract says so");

  private final StoreUnderTest tck;

  /** Of every lane; none for a competing store. */
  private final List<LaneOwner> owners;

  public DeadLetterScene(StoreUnderTest tck) throws Exception {
    this.tck = tck;
    this.owners =
        tck.store() instanceof OrderedStore<Object> ordered
            ? IntStream.range(0, ordered.lanes().count())
                .mapToObj(lane -> LaneOwner.take(ordered, lane, StoreUnderTest.OWNER))
                .toList()
            : List.of();
  }

  public DeadLetterStore letters() throws Exception {
    return tck.store().deadLetters();
  }

  /** Appends a message, which must be the only one that is due, and lets it die of this. */
  public Claim kill(Message message, String error) throws Exception {
    tck.append(message);
    return killNext(message, error);
  }

  private Claim killNext(Message message, String error) throws Exception {
    if (owners.isEmpty()) {
      Claim claim = tck.claimOne();
      assertThat(claim.message()).isEqualTo(message);
      tck.settle(new Settlement.Dead(claim, error));
      return claim;
    }
    LaneOwner owner = ownerOf(message);
    Claim claim = owner.readOne(message);
    owner.hold(new Settlement.Dead(claim, error));
    return claim;
  }

  /** Appends a message, which must be the only one that is due, and sets it aside. */
  public void setAside(Message message) throws Exception {
    tck.append(message);
    if (owners.isEmpty()) {
      tck.settle(new Settlement.Blocked(tck.claimOne(), "its destination is down"));
    } else {
      LaneOwner owner = ownerOf(message);
      owner.hold(new Settlement.Blocked(owner.readOne(message), "its destination is down"));
    }
  }

  /** Appends messages, which must be the only ones that are due, and lets them die of this. */
  public void killAll(List<Message> messages, String error) throws Exception {
    tck.append(messages);
    if (owners.isEmpty()) {
      List<Claim> claims = tck.claim(messages.size() + 1);
      assertThat(claims).hasSameSizeAs(messages);
      assertThat(tck.competing().settle(dead(claims, error))).isEmpty();
      return;
    }
    for (LaneOwner owner : owners) {
      owner.hold(dead(owner.readAll(1_000).stream().map(LaneEntry::claim).toList(), error));
    }
  }

  private static List<Settlement> dead(List<Claim> claims, String error) {
    return claims.stream().<Settlement>map(claim -> new Settlement.Dead(claim, error)).toList();
  }

  /** Returns the new messages of a relay, which stay unsettled. */
  public List<Claim> due() throws Exception {
    if (owners.isEmpty()) {
      return tck.claim(100);
    }
    List<Claim> due = new ArrayList<>();
    for (LaneOwner owner : owners) {
      due.addAll(owner.takeBlocked(100));
      owner.readAll(100).stream().map(LaneEntry::claim).forEach(due::add);
    }
    return due;
  }

  public void settle(Settlement settlement) throws Exception {
    if (owners.isEmpty()) {
      tck.settle(settlement);
    } else {
      ownerOf(settlement.claim().message()).settleBlocked(settlement);
    }
  }

  private LaneOwner ownerOf(Message message) {
    return owners.get(OrderKey.of(message).lane(owners.size()));
  }
}
