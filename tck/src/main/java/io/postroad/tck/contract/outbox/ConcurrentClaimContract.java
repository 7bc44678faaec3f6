package io.postroad.tck.contract.outbox;

import static org.assertj.core.api.Assertions.assertThat;

import io.postroad.message.Message;
import io.postroad.spi.Claim;
import io.postroad.spi.ClaimRequest;
import io.postroad.spi.CompetingStore;
import io.postroad.spi.Settlement;
import io.postroad.tck.CompetingOnly;
import io.postroad.tck.StoreContract;
import io.postroad.tck.StoreUnderTest;
import io.postroad.tck.contract.scene.Samples;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** claim, MUST 1 and 4, with many claimers on several nodes. */
@StoreContract
@CompetingOnly
public final class ConcurrentClaimContract {
  private static final int MESSAGES = 2_000;
  private static final int CLAIMERS = 8;

  /** So long that no lease ends while the test runs, on however slow a machine. */
  private static final Duration LONG_LEASE = Duration.ofHours(2);

  @Test
  void everyMessageIsClaimedByExactlyOneClaimer(StoreUnderTest tck) throws Exception {
    List<UUID> ids = append(tck);

    List<Claim> claims = claimAll(tck, claim -> {});

    assertThat(claims).extracting(Claim::id).containsExactlyInAnyOrderElementsOf(ids);
    assertThat(claims).extracting(Claim::attempt).containsOnly(1);
  }

  @Test
  void claimersThatSettleWhileOthersClaimDeliverEachMessageOnce(StoreUnderTest tck)
      throws Exception {
    List<UUID> ids = append(tck);
    CompetingStore<Object> store = tck.competing();

    List<Claim> claims =
        claimAll(
            tck,
            batch ->
                assertThat(
                        store.settle(
                            batch.stream().<Settlement>map(Settlement.Delivered::new).toList()))
                    .isEmpty());

    assertThat(claims).extracting(Claim::id).containsExactlyInAnyOrderElementsOf(ids);
    assertThat(store.backlog().pending()).isZero();
  }

  @Test
  void everyExpiredLeaseIsTakenByExactlyOneClaimer(StoreUnderTest tck) throws Exception {
    List<UUID> ids = append(tck);
    assertThat(tck.claim(MESSAGES)).hasSize(MESSAGES);
    tck.advance(StoreUnderTest.LEASE.plusSeconds(1));

    List<Claim> claims = claimAll(tck, claim -> {});

    assertThat(claims).extracting(Claim::id).containsExactlyInAnyOrderElementsOf(ids);
    assertThat(claims).extracting(Claim::attempt).containsOnly(2);
  }

  private static List<UUID> append(StoreUnderTest tck) throws Exception {
    List<Message> messages = Samples.messages(MESSAGES);
    tck.append(messages);
    return Samples.ids(messages);
  }

  /** Claims on three nodes at once until every message was claimed, or one too often. */
  private static List<Claim> claimAll(StoreUnderTest tck, BatchWork work) throws Exception {
    List<CompetingStore<Object>> nodes =
        List.of(
            tck.competing(),
            StoreUnderTest.competing(tck.anotherNode()),
            StoreUnderTest.competing(tck.anotherNode()));
    AtomicInteger claimed = new AtomicInteger();
    AtomicInteger claimers = new AtomicInteger();
    List<List<Claim>> all =
        tck.together(
            CLAIMERS,
            () -> {
              int number = claimers.getAndIncrement();
              CompetingStore<Object> node = nodes.get(number % nodes.size());
              ClaimRequest request = new ClaimRequest("claimer-" + number, 20, LONG_LEASE);
              List<Claim> mine = new ArrayList<>();
              while (claimed.get() < MESSAGES && !Thread.currentThread().isInterrupted()) {
                List<Claim> batch = node.claim(request);
                claimed.addAndGet(batch.size());
                mine.addAll(batch);
                work.accept(batch);
              }
              return mine;
            });
    assertThat(nodes.get(0).claim(new ClaimRequest("last", 10, LONG_LEASE))).isEmpty();
    return all.stream().flatMap(List::stream).toList();
  }

  @FunctionalInterface
  private interface BatchWork {
    void accept(List<Claim> batch);
  }
}
