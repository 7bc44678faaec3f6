package io.postroad.servers;

import java.time.Duration;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A Kafka cluster of one: a real KRaft broker in a JVM of its own.
 *
 * <p>The cluster that the environment variable {@code KAFKA_BOOTSTRAP_SERVERS} points to (without
 * encryption or login), if it is set; else one of ours on 127.0.0.1, with a class path of its own.
 * Topics are not created by use: call {@link #createTopic}.
 *
 * <p>Thread-safe. A killed or frozen broker keeps its log and its cluster id; {@link #close()} and
 * the end of this JVM remove everything.
 */
public final class KafkaServer extends ManagedServer {
  private static final String VARIABLE = "KAFKA_BOOTSTRAP_SERVERS";
  private static final Duration TOPIC_READY_WITHIN = Duration.ofSeconds(30);

  private final Supplier<String> bootstrapServers;

  private KafkaServer(ServerControl control, Supplier<String> bootstrapServers) {
    super(control);
    this.bootstrapServers = bootstrapServers;
  }

  /** A broker with the default options, not started. */
  public static KafkaServer create() {
    return create(ServerOptions.defaults());
  }

  /** A broker that is not started. */
  public static KafkaServer create(ServerOptions options) {
    @Nullable String servers = System.getenv(VARIABLE);
    return servers == null || servers.isBlank() ? local(options) : external(servers.strip());
  }

  /** A broker with the default options that answers. */
  public static KafkaServer started() {
    return started(ServerOptions.defaults());
  }

  /** A broker that answers. */
  public static KafkaServer started(ServerOptions options) {
    KafkaServer server = create(options);
    server.start();
    return server;
  }

  /**
   * The one broker that the tests of this JVM share, started on first use. Use topics of your own;
   * do not stop, hurt or close it.
   */
  public static KafkaServer shared() {
    return Shared.SERVER;
  }

  /**
   * A cluster of several brokers of ours, not started, for what only several do: lose a part of
   * their partitions.
   */
  public static KafkaCluster cluster(int brokers) {
    return new KafkaCluster(brokers);
  }

  static KafkaServer local(ServerOptions options) {
    return local(new LocalKafka(options), options);
  }

  static KafkaServer local(LocalKafka recipe, ServerOptions options) {
    LocalServer server = new LocalServer(recipe, options);
    return new KafkaServer(server, () -> "127.0.0.1:" + server.port());
  }

  static KafkaServer external(String servers) {
    return new KafkaServer(
        new ExternalServer(VARIABLE, () -> KafkaAddress.parse(servers).metadata("")),
        () -> servers);
  }

  /** Returns {@code bootstrap.servers} for clients; known after the first start. */
  public String bootstrapServers() {
    return bootstrapServers.get();
  }

  /** The id that the cluster keeps through every restart. */
  public String clusterId() {
    return address().metadata("").clusterId();
  }

  /**
   * Creates a topic and returns when each of its partitions has a leader.
   *
   * @param name of a topic that does not exist yet
   */
  public void createTopic(String name, int partitions) {
    address().createTopic(name, partitions);
    Await.until(
        TOPIC_READY_WITHIN,
        () -> address().metadata(name).partitionsWithLeader() == partitions,
        () ->
            "Kafka created topic %s, but not all of its %d partitions have a leader after %s"
                .formatted(name, partitions, TOPIC_READY_WITHIN));
  }

  /** How many brokers this one knows to be there. */
  int knownBrokers() {
    return address().metadata("").brokers();
  }

  private KafkaAddress address() {
    return KafkaAddress.parse(bootstrapServers());
  }

  private static final class Shared {
    // No test kills it, so a stall of the machine must not cost its partitions their leader.
    static final KafkaServer SERVER =
        started(ServerOptions.defaults().withSetting("broker.session.timeout.ms", "30000"));
  }
}
