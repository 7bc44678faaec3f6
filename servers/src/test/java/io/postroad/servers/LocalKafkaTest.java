package io.postroad.servers;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class LocalKafkaTest {

  @Test
  void noClusterIdLooksLikeAnOptionOfTheStorageTool() {
    assertThat(Stream.generate(LocalKafka::newClusterId).limit(2_000))
        .allSatisfy(id -> assertThat(id).hasSize(22).doesNotStartWith("-"))
        .doesNotHaveDuplicates();
  }
}
