package io.postroad.servers;

import java.io.IOException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A broker to ask: the first of a bootstrap list. Any broker passes a request on to the right one.
 */
record KafkaAddress(String host, int port) {
  private static final Pattern FIRST = Pattern.compile("\\s*\\[?([^,\\]]+)]?:(\\d+)\\s*(?:,.*)?");

  static KafkaAddress parse(String bootstrapServers) {
    Matcher parts = FIRST.matcher(bootstrapServers);
    if (!parts.matches()) {
      throw new ServerException(
          "Kafka bootstrap servers must be host:port, several separated by commas, got "
              + bootstrapServers);
    }
    return new KafkaAddress(parts.group(1), Integer.parseInt(parts.group(2)));
  }

  private interface Question<T> {
    T ask(KafkaWire wire) throws IOException;
  }

  KafkaWire.Metadata metadata(String topic) {
    return ask(wire -> wire.metadata(topic));
  }

  void createTopic(String topic, int partitions) {
    KafkaWire.Created answer = ask(wire -> wire.createTopic(topic, partitions));
    if (answer.code() != 0) {
      throw new ServerException(
          "cannot create topic %s with %d partitions at %s:%d: error %d of the Kafka protocol, %s"
              .formatted(topic, partitions, host, port, answer.code(), answer.message()));
    }
  }

  private <T> T ask(Question<T> question) {
    try (KafkaWire wire = new KafkaWire(host, port)) {
      return question.ask(wire);
    } catch (IOException e) {
      throw new ServerException(
          "Kafka at %s:%d does not answer in plain text: %s; is it running, not frozen, and without TLS and SASL?"
              .formatted(host, port, e),
          e);
    }
  }
}
