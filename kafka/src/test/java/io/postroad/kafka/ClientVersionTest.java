package io.postroad.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.kafka.common.utils.AppInfoParser;
import org.junit.jupiter.api.Test;

/** The build runs these tests twice; this one sees that the class path was really changed. */
class ClientVersionTest {
  @Test
  void testsRunOnTheClientsThatTheBuildMeans() {
    String wanted = System.getProperty("postroad.test.kafka-clients");

    assertThat(wanted).as("set by the pom; in an IDE, set it to the clients' version").isNotNull();
    assertThat(AppInfoParser.getVersion()).isEqualTo(wanted);
  }
}
