package io.postroad.tck.contract.lane;

import io.postroad.tck.OrderedOnly;
import io.postroad.tck.StoreContract;
import io.postroad.tck.StoreUnderTest;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * read, MUST 1 to 3, under a random mix of open, committed and rolled back transactions, reads of
 * every size, and owners that take over from what was written down. A failure names its seed;
 * {@code -Dpostroad.tck.seed=N} runs it again.
 */
@StoreContract
@OrderedOnly
public final class LaneChaosContract {
  private static final String SEED = "postroad.tck.seed";

  @Test
  void nothingIsLostOrRepeatedOrOutOfOrderInOneLane(StoreUnderTest tck) throws Exception {
    run(tck, 1, 800);
  }

  @Test
  void nothingIsLostOrRepeatedOrOutOfOrderInManyLanes(StoreUnderTest tck) throws Exception {
    run(tck, 2, 800);
  }

  private static void run(StoreUnderTest tck, int lanes, int steps) throws Exception {
    long seed = Long.getLong(SEED, new Random().nextLong());
    try {
      new LaneChaos(tck, lanes, seed).run(steps);
    } catch (AssertionError | Exception e) {
      throw new AssertionError("with -D" + SEED + "=" + seed + ": " + e.getMessage(), e);
    }
  }
}
