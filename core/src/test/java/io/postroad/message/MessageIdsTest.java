package io.postroad.message;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class MessageIdsTest {

  @Test
  void idsAreVersionSevenAndContainTheTime() {
    UUID id = MessageIds.of(1_700_000_000_123L, new SplittableRandom(1));

    assertThat(id.version()).isEqualTo(7);
    assertThat(id.variant()).isEqualTo(2);
    assertThat(id.getMostSignificantBits() >>> 16).isEqualTo(1_700_000_000_123L);
  }

  @Test
  void idsDoNotRepeat() {
    Set<UUID> seen = new HashSet<>();
    for (int i = 0; i < 100_000; i++) {
      assertThat(seen.add(MessageIds.next())).isTrue();
    }
  }
}
