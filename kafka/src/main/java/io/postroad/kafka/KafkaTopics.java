package io.postroad.kafka;

import io.postroad.message.PostroadException;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.errors.InvalidTopicException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.errors.TopicExistsException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Verifies or creates topics when an application starts.
 *
 * <p>The settings are those of Kafka's admin client: {@code bootstrap.servers} and the settings for
 * login. Each call opens a client, waits up to {@code default.api.timeout.ms} (15 s by default) for
 * the broker in each of its steps, and closes the client. Thread-safe; several nodes may call it at
 * the same time.
 */
public final class KafkaTopics {
  private static final Logger LOG = LoggerFactory.getLogger(KafkaTopics.class);
  private static final int TIMEOUT_MS = 15_000;
  private static final Duration CHECK_EVERY = Duration.ofMillis(50);

  private KafkaTopics() {}

  /**
   * Verifies that all topics exist. Changes nothing.
   *
   * @throws MissingTopicsException if topics are missing; it names all of them
   * @throws PostroadException if the broker cannot be asked
   */
  public static void verify(Map<String, ?> settings, Collection<String> names) {
    try (Admin admin = admin(settings)) {
      Set<String> missing = new TreeSet<>(names);
      missing.removeAll(existing(admin, names).keySet());
      if (!missing.isEmpty()) {
        throw new MissingTopicsException(missing);
      }
    }
  }

  /**
   * Creates missing topics, and returns when all of them can be used. Existing topics stay
   * unchanged; a different number of partitions is logged. After a crash some topics may exist; the
   * next call creates the others.
   *
   * @return the names of the topics that this call created, without those that another node created
   *     meanwhile
   * @throws PostroadException if a topic cannot be created; the text has its name and the reason
   */
  public static Set<String> create(Map<String, ?> settings, Collection<TopicSpec> topics) {
    Map<String, TopicSpec> wanted = new LinkedHashMap<>();
    topics.forEach(topic -> wanted.put(topic.name(), topic));
    try (Admin admin = admin(settings)) {
      Map<String, TopicDescription> existing = existing(admin, wanted.keySet());
      wanted.forEach((name, topic) -> compare(topic, existing.get(name)));
      Map<String, TopicSpec> missing = new LinkedHashMap<>(wanted);
      missing.keySet().removeAll(existing.keySet());
      Set<String> created = create(admin, missing);
      awaitLeaders(admin, missing.keySet());
      return created;
    }
  }

  private static Set<String> create(Admin admin, Map<String, TopicSpec> missing) {
    List<NewTopic> topics = missing.values().stream().map(KafkaTopics::newTopic).toList();
    Set<String> created = new TreeSet<>();
    admin
        .createTopics(topics)
        .values()
        .forEach(
            (name, result) -> {
              KafkaFuture<String> done = result.thenApply(nothing -> name);
              if (ask("create topic " + name, done, TopicExistsException.class).isPresent()) {
                LOG.info("created topic {}", name);
                created.add(name);
              }
            });
    return created;
  }

  private static NewTopic newTopic(TopicSpec spec) {
    return new NewTopic(
            spec.name(),
            spec.partitions() == 0 ? Optional.empty() : Optional.of(spec.partitions()),
            spec.replication() == 0 ? Optional.empty() : Optional.of((short) spec.replication()))
        .configs(spec.settings());
  }

  private static void compare(TopicSpec wanted, @Nullable TopicDescription found) {
    int partitions = found == null ? wanted.partitions() : found.partitions().size();
    if (wanted.partitions() != 0 && wanted.partitions() != partitions) {
      LOG.warn(
          "topic {} exists with {} partitions, not {}; it is left as it is, because a change moves"
              + " keys to other partitions",
          wanted.name(),
          partitions,
          wanted.partitions());
    }
  }

  /**
   * Waits until all partitions have leaders. Other brokers may learn of a new topic later than the
   * broker that created it.
   */
  private static void awaitLeaders(Admin admin, Set<String> names) {
    long deadline = System.nanoTime() + Duration.ofMillis(TIMEOUT_MS).toNanos();
    while (!names.isEmpty() && !allHaveLeaders(existing(admin, names), names)) {
      if (System.nanoTime() - deadline >= 0 || Thread.currentThread().isInterrupted()) {
        throw new PostroadException(
            "created topics, but not all of %s have leaders yet; check the brokers and start again"
                .formatted(names));
      }
      LockSupport.parkNanos(CHECK_EVERY.toNanos());
    }
  }

  private static boolean allHaveLeaders(Map<String, TopicDescription> found, Set<String> names) {
    return found.keySet().containsAll(names)
        && found.values().stream()
            .flatMap(topic -> topic.partitions().stream())
            .allMatch(partition -> partition.leader() != null && !partition.leader().isEmpty());
  }

  private static Map<String, TopicDescription> existing(Admin admin, Collection<String> names) {
    Map<String, TopicDescription> found = new TreeMap<>();
    admin
        .describeTopics(Set.copyOf(names))
        .topicNameValues()
        .forEach(
            (name, result) ->
                ask(
                        "describe topic " + name,
                        result,
                        UnknownTopicOrPartitionException.class,
                        InvalidTopicException.class,
                        TopicAuthorizationException.class)
                    .ifPresent(topic -> found.put(name, topic)));
    return found;
  }

  /** Returns the result of a call; empty if it failed with one of the expected exceptions. */
  @SafeVarargs
  private static <T> Optional<T> ask(
      String what, KafkaFuture<T> result, Class<? extends Exception>... expected) {
    try {
      T answer = result.get();
      return Optional.of(answer);
    } catch (ExecutionException e) {
      Throwable cause = e.getCause() == null ? e : e.getCause();
      for (Class<? extends Exception> each : expected) {
        if (each.isInstance(cause)) {
          return Optional.empty();
        }
      }
      throw new PostroadException(
          "could not %s: %s".formatted(what, SendFailure.describe(cause)), cause);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new PostroadException("could not %s: interrupted".formatted(what), e);
    }
  }

  private static Admin admin(Map<String, ?> settings) {
    Map<String, Object> all = new HashMap<>(settings);
    all.putIfAbsent(AdminClientConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, TIMEOUT_MS);
    all.putIfAbsent(AdminClientConfig.REQUEST_TIMEOUT_MS_CONFIG, TIMEOUT_MS / 3);
    try {
      return Admin.create(all);
    } catch (KafkaException e) {
      throw new PostroadException(
          "could not create an admin client: " + SendFailure.describe(e), e);
    }
  }
}
