package io.postroad.tck.contract.admin;

import static org.assertj.core.api.Assertions.assertThat;

import io.postroad.message.Message;
import io.postroad.spi.Claim;
import io.postroad.spi.Settlement;
import io.postroad.store.MessageStatus;
import io.postroad.tck.CompetingOnly;
import io.postroad.tck.StoreContract;
import io.postroad.tck.StoreUnderTest;
import io.postroad.tck.contract.scene.DeadLetterScene;
import io.postroad.tck.contract.scene.Ending;
import io.postroad.tck.contract.scene.Samples;
import java.util.List;
import org.junit.jupiter.api.Test;

/** replay, MUST 2: a settlement of a claim from before a replay is too late. */
@StoreContract
@CompetingOnly
public final class ReplayFencingContract {

  @Test
  void aClaimFromBeforeSettlesNothing(StoreUnderTest tck) throws Exception {
    for (Ending late : Ending.values()) {
      DeadLetterScene scene = new DeadLetterScene(tck);
      Message message = Samples.ordered("k");
      Claim old = scene.kill(message, "dead");
      scene.letters().replay(List.of(message.id()), DeadLetterScene.DECISION);

      assertThat(tck.competing().settle(List.of(late.of(old)))).as("%s", late).hasSize(1);
      assertThat(tck.find(message.id()).status()).isEqualTo(MessageStatus.PENDING);
      Claim now = tck.claimOne();
      assertThat(now.token()).isGreaterThan(old.token());
      assertThat(tck.competing().settle(List.of(late.of(old)))).as("%s, claimed", late).hasSize(1);
      tck.settle(new Settlement.Delivered(now));
    }
  }
}
