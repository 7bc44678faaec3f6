package io.postroad.servers;

import com.mongodb.MongoException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.bson.Document;

/** How MongoDB is prepared, started and asked. */
final class LocalMongo implements ServerRecipe {
  private static final Duration ELECTS_WITHIN = Duration.ofSeconds(60);
  private static final String JOURNAL = "storage.journal.enabled";
  private static final String PARAMETER = "setParameter.";
  private static final Map<String, String> SETTINGS =
      Map.of(
          "net.bindIp",
          "127.0.0.1",
          "net.unixDomainSocket.enabled",
          "false",
          "storage.wiredTiger.engineConfig.cacheSizeGB",
          "0.25",
          PARAMETER + "diagnosticDataCollectionEnabled",
          "false",
          // Else a primary that is asked to stop waits 15 seconds for its clients to leave.
          PARAMETER + "shutdownTimeoutMillisForSignaledShutdown",
          "100");

  /** Role of a server in its replica set. */
  enum Role {
    /** Alone, without a replica set and so without transactions. */
    STANDALONE,
    /** The one member of its replica set, which it founds at its first start. */
    SET_OF_ONE,
    /** One of several members; {@link MongoReplicaSet} founds their set. */
    MEMBER
  }

  private final ServerOptions options;
  private final Role role;
  private final Path mongod;
  private volatile boolean initiated;

  LocalMongo(ServerOptions options, Role role, MongoBinaries binaries) {
    if (!options.settings().getOrDefault(JOURNAL, "true").equals("true")) {
      throw new IllegalArgumentException(
          "MongoDB setting %s must be true, got %s; without it our tests would prove nothing"
              .formatted(JOURNAL, options.settings().get(JOURNAL)));
    }
    this.options = options;
    this.role = role;
    this.mongod = binaries.mongod();
  }

  @Override
  public String name() {
    return "MongoDB";
  }

  @Override
  public void prepare(ServerHome home) {
    try {
      Files.createDirectory(home.data());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void configure(ServerHome home, int port) {
    Map<String, String> all = new TreeMap<>(SETTINGS);
    if (role != Role.STANDALONE) {
      all.put("replication.replSetName", MongoAddress.REPLICA_SET);
      // The default follows the free room, and a long test run can fill it: then the doctor warns.
      all.put("replication.oplogSizeMB", "3072");
    }
    all.putAll(options.settings());
    all.put("net.port", Integer.toString(port));
    all.put("storage.dbPath", home.data().toString());
    StringBuilder lines = new StringBuilder();
    StringBuilder parameters = new StringBuilder("setParameter:\n");
    all.forEach(
        (name, value) -> {
          if (name.startsWith(PARAMETER)) {
            parameters.append("  ").append(line(name.substring(PARAMETER.length()), value));
          } else {
            lines.append(line(name, value));
          }
        });
    try {
      Files.writeString(config(home), lines.append(parameters));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String line(String name, String value) {
    return "%s: '%s'\n".formatted(name, value.replace("'", "''"));
  }

  @Override
  public List<String> command(ServerHome home) {
    return List.of(mongod.toString(), "--config", config(home).toString());
  }

  @Override
  public boolean answers(int port) {
    return MongoAddress.accepts(port) && MongoAddress.direct(port).answers();
  }

  @Override
  public void makeReady(int port) {
    if (role == Role.SET_OF_ONE && !initiated) {
      initiate(List.of(port), new Document());
      initiated = true;
    }
    if (initiated) {
      awaitState(port, role == Role.SET_OF_ONE ? "isWritablePrimary" : "secondary");
    }
  }

  @Override
  public void verify(int port) {
    MongoAddress.direct(port).verifyVersion();
  }

  @Override
  public String stopSignal() {
    return "TERM";
  }

  /** Says that the set of this member has been founded, so that it rejoins it at every start. */
  void founded() {
    initiated = true;
  }

  /** Founds the replica set of these members, of which the first one is asked to. */
  static void initiate(List<Integer> ports, Document settings) {
    List<Document> members = new ArrayList<>();
    for (int port : ports) {
      members.add(new Document("_id", members.size()).append("host", "127.0.0.1:" + port));
    }
    MongoAddress.direct(ports.get(0))
        .admin(
            new Document(
                "replSetInitiate",
                new Document("_id", MongoAddress.REPLICA_SET)
                    .append("members", members)
                    .append("settings", settings)));
  }

  /** Waits until the server is a primary, or whatever else {@code state} says. */
  private static void awaitState(int port, String state) {
    Await.until(
        ELECTS_WITHIN,
        () -> is(port, state) || is(port, "isWritablePrimary"),
        () ->
            "MongoDB on port %d runs, but hello does not say %s after %s; its replica set says %s"
                .formatted(port, state, ELECTS_WITHIN, status(port)));
  }

  static boolean is(int port, String state) {
    try {
      return MongoAddress.direct(port).hello().getBoolean(state, false);
    } catch (MongoException notYet) {
      return false;
    }
  }

  private static String status(int port) {
    try {
      return MongoAddress.direct(port).admin(new Document("replSetGetStatus", 1)).toJson();
    } catch (MongoException e) {
      return e.toString();
    }
  }

  private static Path config(ServerHome home) {
    return home.directory().resolve("mongod.conf");
  }
}
