package io.postroad.kafka;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.postroad.message.Message;
import io.postroad.outbox.Outbox;
import io.postroad.outbox.OutboxRelay;
import io.postroad.outbox.OutboxSignal;
import io.postroad.outbox.RelayOptions;
import io.postroad.servers.KafkaCluster;
import io.postroad.servers.KafkaServer;
import io.postroad.servers.ServerState;
import io.postroad.test.InMemoryOrderedStore;
import io.postroad.test.InMemoryTransaction;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.utils.Utils;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Two brokers, a topic of twelve partitions, and the only broker with partition 0 is down. The
 * other partitions continue, and the waiting messages arrive in order when the broker is back.
 */
class LeaderlessPartitionTest {
  private static final int PARTITIONS = 12;
  private static final int DEAD_PARTITION = 0;
  private static final int KEYS = 240;

  private static final KafkaCluster CLUSTER = KafkaServer.cluster(2);

  private final InMemoryOrderedStore store = new InMemoryOrderedStore();
  private final String topic = TestTopics.freshName();
  private final TestTopics topics = new TestTopics(CLUSTER.broker(1));
  private final Set<UUID> delivered = ConcurrentHashMap.newKeySet();
  private final List<OutboxSignal> bad = new CopyOnWriteArrayList<>();
  private final List<Message> healthy = new ArrayList<>();
  private final List<Message> dead = new ArrayList<>();
  private final Map<Integer, Integer> numbers = new HashMap<>();

  @BeforeAll
  static void startCluster() {
    CLUSTER.start();
  }

  @AfterAll
  static void closeCluster() {
    CLUSTER.close();
  }

  @BeforeEach
  void createTopic() throws Exception {
    Map<Integer, List<Integer>> replicas =
        IntStream.range(0, PARTITIONS)
            .boxed()
            .collect(Collectors.toMap(each -> each, each -> List.of(each == 0 ? 2 : 1)));
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", CLUSTER.bootstrapServers()))) {
      admin.createTopics(List.of(new NewTopic(topic, replicas))).all().get();
    }
  }

  @AfterEach
  void bringBrokerBack() {
    if (broker().state() != ServerState.RUNNING) {
      broker().start();
    }
  }

  private static KafkaServer broker() {
    return CLUSTER.broker(2);
  }

  @ParameterizedTest(name = "transactions: {0}")
  @ValueSource(booleans = {false, true})
  void aBacklogOfTheOtherPartitionsArrivesWhileOneHasNoLeader(boolean transactions)
      throws Exception {
    broker().stop();
    append(4_000);

    try (KafkaSender sender = sender(transactions);
        OutboxRelay relay = relay(sender, RelayOptions.defaults().withMaxBatch(100))) {
      relay.start();
      awaitHealthy();
      assertThat(delivered)
          .as("no message of the partition without a leader")
          .hasSameSizeAs(healthy);

      broker().start();
      awaitAll();
      relay.stop();
    }
    assertEverythingArrivedInOrder();
  }

  @ParameterizedTest(name = "transactions: {0}")
  @ValueSource(booleans = {false, true})
  void slowTrafficContinuesWhenMoreThanTheSendWindowWaitsForThePartition(boolean transactions)
      throws Exception {
    broker().stop();
    RelayOptions smallWindow = RelayOptions.defaults().withBatch(5).withMaxBatch(5);

    try (KafkaSender sender = sender(transactions);
        OutboxRelay relay = relay(sender, smallWindow)) {
      relay.start();
      while (dead.size() < 100) {
        append(20);
        awaitHealthy();
      }

      broker().start();
      awaitAll();
      relay.stop();
    }
    assertEverythingArrivedInOrder();
  }

  @ParameterizedTest(name = "transactions: {0}")
  @ValueSource(booleans = {false, true})
  void aBrokerThatIsKilledWhileMessagesFlowTakesItsOwnPartitionAlongOnly(boolean transactions)
      throws Exception {
    try (KafkaSender sender = sender(transactions);
        OutboxRelay relay = relay(sender, RelayOptions.defaults().withMaxBatch(100))) {
      relay.start();
      append(1_000);
      awaitAll();

      append(1_000);
      broker().kill();
      append(2_000);
      awaitHealthy();

      broker().start();
      awaitAll();
      relay.stop();
    }
    assertEverythingArrivedInOrder();
  }

  private KafkaSender sender(boolean transactions) {
    KafkaSenderOptions options =
        KafkaSenderOptions.of(CLUSTER.bootstrapServers()).withSendTimeout(Duration.ofSeconds(3));
    return KafkaSender.create(
        transactions ? options.withTransactionalIdPrefix("p-" + UUID.randomUUID()) : options);
  }

  private OutboxRelay relay(KafkaSender sender, RelayOptions options) {
    return OutboxRelay.builder(store, sender).options(options).observer(this::observe).build();
  }

  private void observe(OutboxSignal signal) {
    if (signal instanceof OutboxSignal.Delivered each) {
      delivered.add(each.message().id());
    } else if (signal instanceof OutboxSignal.Died
        || signal instanceof OutboxSignal.RetryScheduled
        || signal instanceof OutboxSignal.DestinationDown) {
      bad.add(signal);
    }
  }

  /** Appends messages to all keys in turn; the type is the number of the message within its key. */
  private void append(int count) {
    List<Message> batch = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      int key = (healthy.size() + dead.size()) % KEYS;
      int number = numbers.merge(key, 1, Integer::sum);
      Message message =
          Message.event(String.valueOf(number)).to(topic).key("key-" + key).json("{}").build();
      (partition("key-" + key) == DEAD_PARTITION ? dead : healthy).add(message);
      batch.add(message);
    }
    try (InMemoryTransaction transaction = store.begin()) {
      Outbox.over(store).appendAll(transaction, batch);
      transaction.commit();
    }
    store.wakeUps().signal();
  }

  private static int partition(String key) {
    return Utils.toPositive(Utils.murmur2(key.getBytes(UTF_8))) % PARTITIONS;
  }

  private void awaitHealthy() {
    Set<UUID> wanted = healthy.stream().map(Message::id).collect(Collectors.toSet());
    Eventually.until(
        () -> "of %d healthy messages, %d are delivered".formatted(wanted.size(), count(wanted)),
        () -> delivered.containsAll(wanted));
  }

  private long count(Set<UUID> wanted) {
    return wanted.stream().filter(delivered::contains).count();
  }

  private void awaitAll() {
    int wanted = healthy.size() + dead.size();
    Eventually.until(
        () -> "of %d messages, %d are delivered".formatted(wanted, delivered.size()),
        () -> delivered.size() == wanted);
  }

  private void assertEverythingArrivedInOrder() {
    Map<String, Set<String>> arrived = new HashMap<>();
    for (ConsumerRecord<byte[], byte[]> each : topics.read(topic)) {
      arrived
          .computeIfAbsent(new String(each.key(), UTF_8), key -> new LinkedHashSet<>())
          .add(TestTopics.header(each, "event-type"));
    }
    numbers.forEach(
        (key, last) ->
            assertThat(arrived.get("key-" + key))
                .as("first occurrences of key %d", key)
                .containsExactlyElementsOf(
                    IntStream.rangeClosed(1, last).mapToObj(String::valueOf).toList()));
    assertThat(bad).as("attempts used, dead letters, destination down").isEmpty();
  }
}
