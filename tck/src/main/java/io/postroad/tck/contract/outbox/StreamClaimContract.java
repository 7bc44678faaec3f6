package io.postroad.tck.contract.outbox;

import static org.assertj.core.api.Assertions.assertThat;

import io.postroad.message.Message;
import io.postroad.spi.Claim;
import io.postroad.spi.ClaimRequest;
import io.postroad.spi.Settlement;
import io.postroad.tck.Capability;
import io.postroad.tck.CompetingOnly;
import io.postroad.tck.StoreContract;
import io.postroad.tck.StoreUnderTest;
import io.postroad.tck.contract.scene.Samples;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Claims for one destination only. */
@StoreContract
@CompetingOnly
public final class StreamClaimContract {

  @Test
  void takesNothingOfOtherDestinations(StoreUnderTest tck) throws Exception {
    tck.needs(Capability.STREAMS);
    Message wiki = to("wiki");
    Message media = to("media");
    tck.append(wiki, media);

    assertThat(claim(tck, "media", 10)).extracting(Claim::id).containsExactly(media.id());
    assertThat(claim(tck, "media", 10)).isEmpty();
    assertThat(claim(tck, "search", 10)).isEmpty();
    assertThat(tck.claim(10)).extracting(Claim::id).containsExactly(wiki.id());
  }

  @Test
  void takesTheLongestDueFirst(StoreUnderTest tck) throws Exception {
    tck.needs(Capability.STREAMS);
    Message first = to("wiki");
    Message second = to("wiki");
    Message third = to("wiki");
    for (Message message : List.of(first, second, third)) {
      tck.append(message);
      tck.advance(Duration.ofSeconds(1));
    }

    assertThat(claim(tck, "wiki", 2))
        .extracting(Claim::id)
        .containsExactly(first.id(), second.id());
    assertThat(claim(tck, "wiki", 2)).extracting(Claim::id).containsExactly(third.id());
  }

  @Test
  void takesRetriesWhenTheyAreDueAndExpiredLeases(StoreUnderTest tck) throws Exception {
    tck.needs(Capability.STREAMS);
    tck.append(to("wiki"));
    Claim claim = claim(tck, "wiki", 1).get(0);
    tck.settle(new Settlement.Retry(claim, Duration.ofMinutes(5), "later"));
    assertThat(claim(tck, "wiki", 1)).isEmpty();
    tck.advance(Duration.ofMinutes(6));

    assertThat(claim(tck, "wiki", 1)).extracting(Claim::attempt).containsExactly(2);
    tck.advance(StoreUnderTest.LEASE.plusSeconds(1));
    List<Claim> again = claim(tck, "wiki", 1);
    assertThat(again).extracting(Claim::attempt).containsExactly(3);
    assertThat(again.get(0).expiredOwner()).contains(StoreUnderTest.OWNER);
  }

  private static List<Claim> claim(StoreUnderTest tck, String destination, int limit)
      throws Exception {
    return tck.competing()
        .claim(new ClaimRequest(StoreUnderTest.OWNER, limit, StoreUnderTest.LEASE).of(destination));
  }

  private static Message to(String destination) {
    return Samples.builder().to(destination).build();
  }
}
