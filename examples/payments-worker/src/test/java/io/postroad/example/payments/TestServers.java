package io.postroad.example.payments;

import io.postroad.example.payments.infrastructure.messaging.Queues;
import io.postroad.servers.ArtemisServer;
import io.postroad.servers.KafkaServer;
import io.postroad.servers.PostgresServer;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;

/** The servers of the tests, as environment variables of the guide. */
public final class TestServers {
  private static final List<String> COMMANDS =
      List.of(
          "CreateAccount",
          "CreateLimits",
          "CompleteAccountCreation",
          "BookLimits",
          "ReverseLimits",
          "BookFx",
          "UnwindFx",
          "CreateTransaction",
          "ReverseTransaction",
          "CreatePayment");

  private TestServers() {}

  /** Returns all types of commands. */
  public static List<String> commands() {
    return COMMANDS;
  }

  /** Returns all queues or topics of the service. */
  public static List<String> queues() {
    List<String> all = new ArrayList<>(COMMANDS.stream().map(Queues::of).toList());
    Stream.of(Queues.REPLIES, Queues.PAYMENTS).forEach(all::add);
    return all;
  }

  /**
   * Returns the shared Artemis with the queues. Only one application at a time may consume them.
   */
  public static ArtemisServer artemis() {
    return Artemis.SERVER;
  }

  /** Returns the shared Kafka with the topics. Only one application at a time may consume them. */
  public static KafkaServer kafka() {
    return Kafka.SERVER;
  }

  /**
   * Creates a new database on the shared server, and returns its settings with those of Artemis.
   */
  public static Map<String, Object> fresh(String name) {
    return variables(PostgresServer.shared().createDatabase(name));
  }

  public static Map<String, Object> variables(String jdbcUrl) {
    URI url = URI.create(jdbcUrl.substring("jdbc:".length()));
    Map<String, Object> variables = new HashMap<>();
    variables.put("POSTGRES_HOST", url.getHost());
    variables.put("POSTGRES_PORT", String.valueOf(url.getPort()));
    variables.put("POSTGRES_DB", url.getPath().substring(1));
    for (String parameter : (url.getRawQuery() == null ? "" : url.getRawQuery()).split("&", -1)) {
      String[] parts = parameter.split("=", 2);
      if (parts[0].equals("user") || parts[0].equals("password")) {
        variables.put(
            "POSTGRES_" + parts[0].toUpperCase(Locale.ROOT),
            URLDecoder.decode(parts[1], StandardCharsets.UTF_8));
      }
    }
    variables.put("HIKARI_MAX_POOL_SIZE", "20");
    variables.put("HIKARI_MIN_IDLE", "0");
    variables.put("APP_PORT", "-1");
    variables.put("ARTEMIS_URL", artemis().url());
    return variables;
  }

  private static final class Kafka {
    static final KafkaServer SERVER = withTopics();

    private static KafkaServer withTopics() {
      KafkaServer server = KafkaServer.shared();
      queues().forEach(topic -> server.createTopic(topic, 1));
      return server;
    }
  }

  private static final class Artemis {
    static final ArtemisServer SERVER = withQueues();

    private static ArtemisServer withQueues() {
      ArtemisServer server = ArtemisServer.shared();
      queues().forEach(server::declareQueue);
      return server;
    }
  }
}
