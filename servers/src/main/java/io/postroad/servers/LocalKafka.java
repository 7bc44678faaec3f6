package io.postroad.servers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;

/** How a Kafka broker is prepared, started and asked: its own controller, or one of several. */
final class LocalKafka implements ServerRecipe {
  private static final String STORAGE_TOOL = "kafka.tools.StorageTool";
  private static final String BROKER = "kafka.Kafka";

  /** Topics of Kafka itself, which every broker has, so that none of them is missed. */
  private static final List<String> REPLICATED =
      List.of(
          "offsets.topic.replication.factor",
          "transaction.state.log.replication.factor",
          "share.coordinator.state.topic.replication.factor");

  private static final Map<String, String> SETTINGS =
      Map.ofEntries(
          Map.entry("controller.listener.names", "CONTROLLER"),
          Map.entry("inter.broker.listener.name", "PLAINTEXT"),
          Map.entry("listener.security.protocol.map", "PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT"),
          Map.entry("auto.create.topics.enable", "false"),
          Map.entry("default.replication.factor", "1"),
          Map.entry("min.insync.replicas", "1"),
          Map.entry("offsets.topic.num.partitions", "1"),
          Map.entry("transaction.state.log.min.isr", "1"),
          Map.entry("transaction.state.log.num.partitions", "1"),
          Map.entry("share.coordinator.state.topic.min.isr", "1"),
          Map.entry("share.coordinator.state.topic.num.partitions", "1"),
          Map.entry("group.initial.rebalance.delay.ms", "0"),
          // A killed broker may register again when its old session has run out (by default 9 s).
          Map.entry("broker.session.timeout.ms", "3000"),
          Map.entry("broker.heartbeat.interval.ms", "500"));

  /**
   * The place of a broker in a cluster.
   *
   * @param node its id; node 1 is the controller as well
   * @param brokers how many there are
   * @param controllerPort the port of the controller; 0 takes a free one at each start, for a
   *     cluster of one
   */
  record Member(int node, int brokers, int controllerPort, String clusterId) {
    static Member alone() {
      return new Member(1, 1, 0, newClusterId());
    }

    private boolean isController() {
      return node == 1;
    }
  }

  private final ServerOptions options;
  private final Member member;
  private final String classPath = BrokerClassPath.KAFKA.read();

  LocalKafka(ServerOptions options) {
    this(options, Member.alone());
  }

  LocalKafka(ServerOptions options, Member member) {
    this.options = options;
    this.member = member;
  }

  @Override
  public String name() {
    return "Kafka";
  }

  @Override
  public void prepare(ServerHome home) {
    configure(home, 1);
    Commands.run(
        "format Kafka's storage",
        home.directory(),
        JavaCommand.of(
            classPath,
            List.of("-Xmx128m", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"),
            STORAGE_TOOL,
            List.of("format", "--cluster-id", member.clusterId(), "--config", config(home))));
  }

  @Override
  public void configure(ServerHome home, int port) {
    int controller = member.controllerPort() == 0 ? FreePort.find() : member.controllerPort();
    String plain = "PLAINTEXT://127.0.0.1:" + port;
    Map<String, String> all = new TreeMap<>(SETTINGS);
    all.put("log.dirs", home.data().toString());
    all.put("node.id", String.valueOf(member.node()));
    all.put("process.roles", member.isController() ? "broker,controller" : "broker");
    all.put(
        "listeners",
        member.isController() ? plain + ",CONTROLLER://127.0.0.1:" + controller : plain);
    all.put("advertised.listeners", plain);
    REPLICATED.forEach(name -> all.put(name, String.valueOf(member.brokers())));
    all.put("controller.quorum.voters", "1@127.0.0.1:" + controller);
    all.putAll(options.settings());
    StringBuilder lines = new StringBuilder();
    all.forEach((name, value) -> lines.append(name).append('=').append(value).append('\n'));
    try {
      Files.writeString(Path.of(config(home)), lines);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public List<String> command(ServerHome home) {
    return JavaCommand.of(
        classPath,
        List.of("-Xmx512m", "-Dorg.slf4j.simpleLogger.showDateTime=true"),
        BROKER,
        List.of(config(home)));
  }

  @Override
  public boolean answers(int port) {
    try (KafkaWire wire = new KafkaWire("127.0.0.1", port)) {
      return wire.metadata("").brokers() > 0;
    } catch (IOException notYet) {
      return false;
    }
  }

  @Override
  public void verify(int port) {}

  @Override
  public String stopSignal() {
    return "TERM";
  }

  private static String config(ServerHome home) {
    return home.directory().resolve("kafka.properties").toString();
  }

  /** Kafka writes ids as 22 characters of URL-safe base64. */
  static String newClusterId() {
    UUID id = UUID.randomUUID();
    ByteBuffer bytes =
        ByteBuffer.allocate(16)
            .putLong(id.getMostSignificantBits())
            .putLong(id.getLeastSignificantBits());
    // An id that begins with a dash would be an option to the storage tool: one in 64 did.
    bytes.put(0, (byte) (bytes.get(0) & 0x7f));
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes.array());
  }
}
