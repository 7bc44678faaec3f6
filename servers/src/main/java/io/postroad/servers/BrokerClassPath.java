package io.postroad.servers;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** The broker's class path, written by the build of {@code servers/kafka-broker}. */
final class BrokerClassPath {
  private static final String RESOURCE = "/kafka-broker.classpath";
  private static final String REMEDY =
      "build it with 'mvn -pl servers/kafka-broker,servers package', or set"
          + " KAFKA_BOOTSTRAP_SERVERS to a running broker";

  private BrokerClassPath() {}

  static String read() {
    try (InputStream resource = BrokerClassPath.class.getResourceAsStream(RESOURCE)) {
      if (resource == null) {
        throw new ServerException(
            "cannot start Kafka: %s is not on the class path; %s".formatted(RESOURCE, REMEDY));
      }
      String classPath = new String(resource.readAllBytes(), StandardCharsets.UTF_8).strip();
      for (String jar : classPath.split(File.pathSeparator)) {
        if (!Files.isReadable(Path.of(jar))) {
          throw new ServerException(
              "cannot start Kafka: %s of its class path cannot be read; %s".formatted(jar, REMEDY));
        }
      }
      return classPath;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
