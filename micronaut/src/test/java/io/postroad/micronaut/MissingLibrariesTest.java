package io.postroad.micronaut;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.FutureTask;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Applications work without the libraries that they do not use. */
class MissingLibrariesTest {
  private static final List<String> MONGODB =
      List.of(
          "io.postroad.mongodb.MongoOrderedStore",
          "com.mongodb.client.MongoClient",
          "com.mongodb.ConnectionString",
          "org.bson.Document",
          "org.bson.codecs.record.RecordCodecProvider",
          "io.micronaut.configuration.mongo.core.MongoSettings",
          "io.micronaut.configuration.mongo.sync.DefaultMongoClientFactory",
          "io.micronaut.configuration.mongo.reactive.DefaultReactiveMongoClientFactory",
          "io.micronaut.data.mongodb.annotation.MongoRepository",
          "io.micronaut.serde.bson.BsonJsonMapper");
  private static final List<String> POSTGRES =
      List.of(
          "io.postroad.postgres.PostgresOrderedStore",
          "org.postgresql.Driver",
          "com.zaxxer.hikari.HikariDataSource",
          "io.micronaut.configuration.jdbc.hikari.HikariUrlDataSource",
          "io.micronaut.jdbc.BasicJdbcConfiguration",
          "io.micronaut.data.jdbc.annotation.JdbcRepository",
          "io.micronaut.data.connection.jdbc.advice.DelegatingDataSource",
          "io.micronaut.transaction.jdbc.DataSourceTransactionManager",
          "io.micronaut.flyway.AbstractFlywayMigration",
          "org.flywaydb.core.Flyway",
          "org.flywaydb.database.postgresql.PostgreSQLDatabaseType");

  private static final List<Missing> ALL =
      List.of(
          new Missing("nothing", List.of(), Set.of()),
          new Missing(
              "Kafka",
              List.of(
                  "io.postroad.kafka.KafkaSender",
                  "org.apache.kafka.clients.producer.KafkaProducer"),
              Set.of("KafkaFactory")),
          new Missing(
              "Kafka's client",
              List.of("org.apache.kafka.clients.producer.KafkaProducer"),
              Set.of("KafkaFactory")),
          new Missing(
              "postroad-kafka", List.of("io.postroad.kafka.KafkaSender"), Set.of("KafkaFactory")),
          new Missing(
              "JMS",
              List.of(
                  "io.postroad.jms.JmsSender",
                  "jakarta.jms.ConnectionFactory",
                  "org.apache.activemq.artemis.jms.client.ActiveMQConnectionFactory"),
              Set.of("JmsFactory")),
          new Missing(
              "the API of JMS", List.of("jakarta.jms.ConnectionFactory"), Set.of("JmsFactory")),
          new Missing("postroad-jms", List.of("io.postroad.jms.JmsSender"), Set.of("JmsFactory")),
          new Missing(
              "management",
              List.of("io.micronaut.management.endpoint.annotation.Endpoint"),
              Set.of("PostroadEndpoint", "PostroadHealthIndicator")),
          new Missing(
              "Micrometer",
              List.of(
                  "io.postroad.micrometer.OutboxMeters",
                  "io.micrometer.core.instrument.MeterRegistry",
                  "io.micrometer.observation.ObservationRegistry",
                  "io.micrometer.common.KeyValue",
                  "io.micrometer.prometheusmetrics.PrometheusMeterRegistry",
                  "io.micronaut.configuration.metrics.micrometer.MeterRegistryFactory",
                  "io.micronaut.configuration.metrics.micrometer.prometheus.PrometheusMeterRegistryFactory"),
              Set.of("MicrometerFactory", "TracingFactory")),
          new Missing(
              "postroad-micrometer",
              List.of("io.postroad.micrometer.OutboxMeters"),
              Set.of("MicrometerFactory", "TracingFactory")),
          new Missing("MongoDB", MONGODB, Set.of()));

  /**
   * What an application on PostgreSQL may lack.
   *
   * @param classes one of each library
   * @param beans those that it lacks then
   */
  record Missing(String name, List<String> classes, Set<String> beans) {
    @Override
    public String toString() {
      return name;
    }
  }

  static List<Missing> all() {
    return ALL;
  }

  @ParameterizedTest(name = "without {0}")
  @MethodSource("all")
  void anApplicationOnPostgresLacksTheirBeansAndNothingElse(Missing missing) throws Exception {
    Set<String> expected = optional();
    expected.removeAll(missing.beans());

    Set<String> found = beansOnPostgres(missing.classes());

    assertThat(found).contains("PostgresFactory", "RelayFactory", "InboxFactory");
    found.retainAll(optional());
    assertThat(found).isEqualTo(expected);
  }

  @Test
  void anApplicationOnPostgresWorksWithoutAllOfThem() throws Exception {
    List<String> classes =
        ALL.stream().flatMap(each -> each.classes().stream()).distinct().toList();

    assertThat(beansOnPostgres(classes))
        .contains("PostgresFactory", "RelayFactory", "InboxFactory")
        .doesNotContainAnyElementsOf(optional());
  }

  @Test
  void anApplicationOnMongoWorksWithoutPostgres() throws Exception {
    assertThat(beans(POSTGRES, Apps.freshMongo("micronaut_missing")))
        .contains("MongoFactory", "RelayFactory", "InboxFactory")
        .containsAll(optional())
        .doesNotContain("PostgresFactory");
  }

  private static Set<String> optional() {
    Set<String> all = new TreeSet<>();
    ALL.forEach(each -> all.addAll(each.beans()));
    return all;
  }

  private static Set<String> beansOnPostgres(Collection<String> missing) throws Exception {
    return beans(missing, Apps.freshPostgres("micronaut_missing"));
  }

  /** Those of an application whose message has arrived. */
  @SuppressWarnings("unchecked") // of the application's class, which is another one there
  private static Set<String> beans(Collection<String> missing, Map<String, Object> database)
      throws Exception {
    Map<String, Object> properties = new HashMap<>(database);
    properties.put("kafka.bootstrap.servers", "localhost:1");
    properties.put("postroad.relay.transport", "local");
    try (ClassPathWithout classPath = ClassPathWithout.of(SparseApplication.class, missing)) {
      for (String name : missing) {
        assertThatThrownBy(() -> classPath.loadClass(name))
            .isInstanceOf(ClassNotFoundException.class);
      }
      Function<Map<String, Object>, Set<String>> application =
          (Function<Map<String, Object>, Set<String>>)
              classPath.loadClass(SparseApplication.class.getName()).getConstructor().newInstance();
      // On a thread of its own: what it leaves there goes with it.
      FutureTask<Set<String>> run = new FutureTask<>(() -> application.apply(properties));
      Thread thread = new Thread(run, "sparse-application");
      thread.setContextClassLoader(classPath);
      thread.start();
      return run.get();
    }
  }
}
