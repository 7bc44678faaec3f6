package io.postroad.tck;

import static org.assertj.core.api.Assertions.assertThat;

import io.postroad.message.Message;
import io.postroad.spi.Claim;
import io.postroad.spi.ClaimRequest;
import io.postroad.spi.CompetingStore;
import io.postroad.spi.Settlement;
import java.util.ArrayList;
import java.util.List;

/** Claims. */
final class CompetingReceiver implements Receiver {
  private static final int LIMIT = 1_000;

  private final CompetingStore<Object> store;
  private final List<Claim> unsettled = new ArrayList<>();

  CompetingReceiver(CompetingStore<Object> store) {
    this.store = store;
  }

  @Override
  public List<Message> receive() {
    List<Claim> claims =
        store.claim(new ClaimRequest(StoreUnderTest.OWNER, LIMIT, StoreUnderTest.LEASE));
    unsettled.addAll(claims);
    return claims.stream().map(Claim::message).toList();
  }

  @Override
  public void settleAll() {
    List<Settlement> delivered =
        unsettled.stream().<Settlement>map(Settlement.Delivered::new).toList();
    unsettled.clear();
    assertThat(store.settle(delivered)).as("rejected by the fence").isEmpty();
  }
}
