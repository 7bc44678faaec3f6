package io.postroad.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.kafka.common.utils.AppInfoParser;
import org.junit.jupiter.api.Test;

/**
 * Checks the version of the Kafka clients on the class path: the build runs these tests with two
 * versions.
 */
class ClientVersionTest {
  @Test
  void testsRunWithTheClientVersionOfTheBuild() {
    String wanted = System.getProperty("postroad.test.kafka-clients");

    assertThat(wanted).as("set by the pom; in an IDE, set it to the clients' version").isNotNull();
    assertThat(AppInfoParser.getVersion()).isEqualTo(wanted);
  }
}
