package io.postroad.servers;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** The class path of a broker, written by the build of a module below {@code servers}. */
enum BrokerClassPath {
  KAFKA("Kafka", "kafka-broker", "KAFKA_BOOTSTRAP_SERVERS"),
  ARTEMIS("Artemis", "artemis-broker", "ARTEMIS_URL");

  private final String broker;
  private final String resource;
  private final String remedy;

  BrokerClassPath(String broker, String module, String variable) {
    this.broker = broker;
    this.resource = "/%s.classpath".formatted(module);
    this.remedy =
        "build it with 'mvn -pl servers/%s,servers package', or set %s to a running broker"
            .formatted(module, variable);
  }

  String read() {
    try (InputStream stream = BrokerClassPath.class.getResourceAsStream(resource)) {
      if (stream == null) {
        throw new ServerException(
            "cannot start %s: %s is not on the class path; %s".formatted(broker, resource, remedy));
      }
      String classPath = new String(stream.readAllBytes(), StandardCharsets.UTF_8).strip();
      for (String jar : classPath.split(File.pathSeparator)) {
        if (!Files.isReadable(Path.of(jar))) {
          throw new ServerException(
              "cannot start %s: %s of its class path cannot be read; %s"
                  .formatted(broker, jar, remedy));
        }
      }
      return classPath;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
