package io.postroad.example.payments.run;

import io.postroad.example.kit.Narrator;
import io.postroad.example.kit.Rows;
import io.postroad.example.payments.infrastructure.messaging.Queues;
import io.postroad.servers.ArtemisServer;
import io.postroad.servers.PostgresServer;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/** The PostgreSQL and the Artemis broker of this run. */
final class Servers implements AutoCloseable {
  /** The types of commands that have a queue. */
  static final List<String> COMMANDS =
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

  private final PostgresServer postgres;
  private final ArtemisServer artemis;
  private final String database;

  private Servers(PostgresServer postgres, ArtemisServer artemis) {
    this.postgres = postgres;
    this.artemis = artemis;
    this.database = postgres.createDatabase("payments");
    COMMANDS.forEach(type -> artemis.declareQueue(Queues.of(type)));
    artemis.declareQueue(Queues.REPLIES);
    artemis.declareQueue(Queues.PAYMENTS);
  }

  static Servers start() {
    Narrator.say("Starting PostgreSQL and Artemis on this machine.");
    PostgresServer postgres = PostgresServer.create();
    ArtemisServer artemis = ArtemisServer.create();
    CompletableFuture.allOf(
            CompletableFuture.runAsync(postgres::start), CompletableFuture.runAsync(artemis::start))
        .join();
    return new Servers(postgres, artemis);
  }

  /** Uses running servers, with a new database. The queues are not created yet. */
  static Servers over(PostgresServer postgres, ArtemisServer artemis) {
    return new Servers(postgres, artemis);
  }

  String jdbcUrl() {
    return database;
  }

  String brokerUrl() {
    return artemis.url();
  }

  /** Returns a reader of the application's database. */
  Rows rows() throws SQLException {
    return new Rows(database);
  }

  /** Returns the environment variables of the guide for these servers. */
  Map<String, String> environment() {
    URI url = URI.create(database.substring("jdbc:".length()));
    Map<String, String> variables = new LinkedHashMap<>();
    variables.put("POSTGRES_HOST", url.getHost());
    variables.put("POSTGRES_PORT", String.valueOf(url.getPort()));
    variables.put("POSTGRES_DB", url.getPath().substring(1));
    String query = url.getRawQuery() == null ? "" : url.getRawQuery();
    for (String parameter : query.split("&", -1)) {
      String[] parts = parameter.split("=", 2);
      if (parts[0].equals("user") || parts[0].equals("password")) {
        variables.put(
            "POSTGRES_" + parts[0].toUpperCase(Locale.ROOT),
            URLDecoder.decode(parts[1], StandardCharsets.UTF_8));
      }
    }
    variables.put("ARTEMIS_URL", brokerUrl());
    variables.put("HIKARI_MAX_POOL_SIZE", "20");
    variables.put("HIKARI_MIN_IDLE", "2");
    // The lease of a killed node; with the default of 60 s the crash run takes longer.
    variables.put("COMMAND_LEASE", "20");
    variables.put("COMMAND_HANDLER_TIMEOUT", "5");
    return variables;
  }

  @Override
  public void close() {
    artemis.close();
    postgres.close();
  }
}
