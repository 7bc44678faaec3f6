package io.postroad.servers;

import com.mongodb.ConnectionString;
import com.mongodb.MongoClientSettings;
import com.mongodb.MongoException;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.bson.Document;

/** Where a MongoDB is, and questions to it. */
record MongoAddress(String connectionString) {
  static final String REPLICA_SET = "postroad";

  private static final int OLDEST_VERSION = 6;
  private static final int CONNECTS_WITHIN_MILLIS = 10_000;

  static MongoAddress parse(String variable, String connectionString) {
    try {
      return new MongoAddress(new ConnectionString(connectionString).getConnectionString());
    } catch (IllegalArgumentException e) {
      throw new ServerException(
          "%s does not look like mongodb://host:port/?replicaSet=name, which it must: %s"
              .formatted(variable, e.getMessage()),
          e);
    }
  }

  /** One server, whatever part it plays in a replica set. */
  static MongoAddress direct(int port) {
    return new MongoAddress("mongodb://127.0.0.1:%d/?directConnection=true".formatted(port));
  }

  /** The replica set of ours with these members, reached through its primary. */
  static MongoAddress replicaSet(List<Integer> ports) {
    List<String> hosts = ports.stream().map(port -> "127.0.0.1:" + port).toList();
    return new MongoAddress(
        "mongodb://%s/?replicaSet=%s".formatted(String.join(",", hosts), REPLICA_SET));
  }

  /** Whether the port accepts connections; cheaper to repeat than a client. */
  static boolean accepts(int port) {
    try (Socket socket = new Socket(InetAddress.getByAddress(new byte[] {127, 0, 0, 1}), port)) {
      return socket.isConnected();
    } catch (IOException notYet) {
      return false;
    }
  }

  boolean answers() {
    try {
      admin(new Document("ping", 1));
      return true;
    } catch (MongoException notYet) {
      return false;
    }
  }

  Document hello() {
    return admin(new Document("hello", 1));
  }

  /** Fails unless the server answers and is new enough. */
  void verifyVersion() {
    String version = ask(new Document("buildInfo", 1)).getString("version");
    if (Integer.parseInt(version.split("\\.")[0]) < OLDEST_VERSION) {
      throw new ServerException(
          "MongoDB at %s is version %s, must be %d or later"
              .formatted(hosts(), version, OLDEST_VERSION));
    }
  }

  /** Fails unless the server has transactions, and is new enough. */
  void verify() {
    verifyVersion();
    Document hello = ask(new Document("hello", 1));
    if (!hello.containsKey("setName") && !"isdbgrid".equals(hello.getString("msg"))) {
      throw new ServerException(
          "MongoDB at %s is standalone, must be a replica set: it has no transactions; start it with --replSet and call rs.initiate()"
              .formatted(hosts()));
    }
  }

  private Document ask(Document command) {
    try {
      return admin(command);
    } catch (MongoException e) {
      throw new ServerException(
          "MongoDB at %s does not answer: %s".formatted(hosts(), e.getMessage()), e);
    }
  }

  /** Runs a command of the database admin, with bounds: a frozen server would never answer. */
  Document admin(Document command) {
    MongoClientSettings settings =
        MongoClientSettings.builder()
            .applyToClusterSettings(
                cluster ->
                    cluster.serverSelectionTimeout(CONNECTS_WITHIN_MILLIS, TimeUnit.MILLISECONDS))
            .applyToSocketSettings(
                socket ->
                    socket
                        .connectTimeout(CONNECTS_WITHIN_MILLIS, TimeUnit.MILLISECONDS)
                        .readTimeout(60, TimeUnit.SECONDS))
            // Last, so that what it says comes before these bounds.
            .applyConnectionString(new ConnectionString(connectionString))
            .build();
    try (MongoClient client = MongoClients.create(settings)) {
      return client.getDatabase("admin").runCommand(command);
    }
  }

  /** Without user and password, for messages. */
  private List<String> hosts() {
    return new ConnectionString(connectionString).getHosts();
  }
}
