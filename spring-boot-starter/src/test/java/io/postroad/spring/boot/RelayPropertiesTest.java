package io.postroad.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import io.postroad.outbox.RelayOptions;
import io.postroad.spring.boot.internal.settings.RelayProperties;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;

/** Batches below and above the defaults, which are 100 and 1000. */
class RelayPropertiesTest {

  @ParameterizedTest
  @CsvSource({
    "50, 50, 50",
    "50, 80, 80",
    "200, 500, 500",
    "200, 100, 200",
    "2000, 1000, 2000",
    "2000, 3000, 3000"
  })
  void anyBatchCanBeAskedFor(int batch, int maxBatch, int largest) {
    RelayOptions options =
        new Binder(
                new MapConfigurationPropertySource(
                    Map.of("postroad.relay.batch", batch, "postroad.relay.max-batch", maxBatch)))
            .bindOrCreate("postroad.relay", RelayProperties.class)
            .options();

    assertThat(options.batch()).isEqualTo(batch);
    assertThat(options.maxBatch()).isEqualTo(largest);
  }
}
