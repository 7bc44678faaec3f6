package io.postroad.example.wiki;

import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.postroad.admin.OutboxAdmin;
import io.postroad.example.wiki.store.DeadLetterArchive;
import io.postroad.example.wiki.store.OutboxCollection;
import io.postroad.example.wiki.store.Wiki;
import io.postroad.example.wiki.store.WikiDatabase;
import io.postroad.example.wiki.web.Operations;
import io.postroad.example.wiki.web.WikiServer;
import io.postroad.example.wiki.work.DeadLetterSweeper;
import io.postroad.example.wiki.work.Editor;
import io.postroad.example.wiki.work.Events;
import io.postroad.example.wiki.work.Reconcilers;
import io.postroad.example.wiki.work.WikiHandlers;
import io.postroad.jackson.JacksonJsonCodec;
import io.postroad.layout.Layouts;
import io.postroad.message.JsonCodec;
import io.postroad.micrometer.InFlightGauge;
import io.postroad.micrometer.OutboxGauges;
import io.postroad.micrometer.OutboxMeters;
import io.postroad.mongodb.MongoCompetingStore;
import io.postroad.mongodb.MongoOptions;
import io.postroad.mongodb.MongoOptions.TransactionMode;
import io.postroad.outbox.Backoff;
import io.postroad.outbox.Outbox;
import io.postroad.outbox.OutboxObserver;
import io.postroad.outbox.OutboxOptions;
import io.postroad.outbox.OutboxWorkers;
import io.postroad.outbox.RelayOptions;
import io.postroad.outbox.WorkerOptions;
import io.postroad.schema.SchemaMode;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Deque;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs the wiki: an HTTP server, workers and, without transactions, reconcilers, in one process.
 * Any number of such processes may share a database.
 *
 * <p>Thread-safe. A crash loses no answered request. With transactions, waiting events continue at
 * once. Without them, a reconciler finds missing events within about two minutes, because the lease
 * of a killed node and a used deduplication key last a minute each. {@link #close()} lets running
 * work end.
 */
public final class WikiApplication implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(WikiApplication.class);
  private static final String OUTBOX = "wiki";
  private static final Duration LOOK_EVERY = Duration.ofSeconds(5);

  /**
   * The size of the longest snapshot if all of it is control characters, which have six bytes each
   * in JSON.
   */
  private static final int MAX_ANSWER = 8 * 1024 * 1024;

  private final Deque<AutoCloseable> parts = new ArrayDeque<>();
  private final WikiServer server;

  private WikiApplication(WikiOptions options, OutboxObserver observer) {
    try {
      server = open(options, observer);
    } catch (RuntimeException | Error failed) {
      close();
      throw failed;
    }
  }

  /** Opens one part after the other; if a part fails, the earlier ones are closed. */
  private WikiServer open(WikiOptions options, OutboxObserver observer) {
    JsonCodec codec = JacksonJsonCodec.create();
    MongoClient client = closedLast(MongoClients.create(options.uri()));
    WikiDatabase database = new WikiDatabase(client, options.database());
    database.create();
    OutboxCollection collection = new OutboxCollection(database);
    collection.create(options.ids());
    MongoCompetingStore store = closedLast(open(client, options));

    PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    DeadLetterSweeper sweeper = closedLast(new DeadLetterSweeper(new DeadLetterArchive(database)));
    OutboxObserver observers = OutboxMeters.of(registry, OUTBOX).and(sweeper).and(observer);
    Outbox<ClientSession> outbox = Outbox.over(store, OutboxOptions.defaults(), observers);

    Wiki wiki = Wiki.in(database);
    Events events = new Events(codec, options.transactions());
    InstantSource clock = InstantSource.system();
    OutboxWorkers<ClientSession> workers =
        closedLast(
            OutboxWorkers.builder(store, new WikiHandlers(wiki).handlers(codec).work())
                .options(workerOptions(options))
                .observer(observers)
                .build());
    Reconcilers reconcilers = closedLast(new Reconcilers(store, wiki, events, clock));
    OutboxGauges gauges = closedLast(OutboxGauges.of(registry, OUTBOX, store));
    closedLast(InFlightGauge.of(registry, OUTBOX, workers));

    workers.start();
    sweeper.start();
    gauges.start(LOOK_EVERY);
    if (options.transactions() == TransactionMode.NONE) {
      reconcilers.start(options.reconcileEvery());
    }
    return closedLast(
        WikiServer.start(
            options.port(),
            JacksonJsonCodec.create(MAX_ANSWER),
            new Editor(store.transactions(), outbox, wiki, events, clock),
            wiki,
            new Operations(
                collection, OutboxAdmin.over(store), sweeper, store, workers, registry)));
  }

  /** Starts the wiki and returns when it answers. */
  public static WikiApplication start(WikiOptions options) {
    return start(options, OutboxObserver.none());
  }

  /**
   * Starts the wiki and returns when it answers.
   *
   * @param observer receives the signals of the outbox
   */
  public static WikiApplication start(WikiOptions options, OutboxObserver observer) {
    WikiApplication application = new WikiApplication(options, observer);
    LOG.info(
        "wiki: started; port={} worker={} transactions={}",
        application.port(),
        options.workerId(),
        options.transactions());
    return application;
  }

  public static void main(String[] args) {
    // Limits how long a half-sent request occupies a thread of the JDK's HTTP server.
    System.setProperty("sun.net.httpserver.maxReqTime", "30");
    WikiApplication application = start(WikiOptions.of(System.getenv()));
    Runtime.getRuntime().addShutdownHook(new Thread(application::close, "wiki-close"));
  }

  /** Opens the collection of the specification, with Postroad's additional fields. */
  private static MongoCompetingStore open(MongoClient client, WikiOptions options) {
    return MongoCompetingStore.open(
        client,
        MongoOptions.defaults()
            .withDatabase(options.database())
            .withSchemaMode(SchemaMode.MIGRATE)
            .withTransactionMode(options.transactions())
            .withStreams(true),
        Layouts.brokerless().withPayload(options.payload()).withExecutions(options.maxAttempts()));
  }

  private static WorkerOptions workerOptions(WikiOptions options) {
    return WorkerOptions.defaults()
        .withRelay(
            RelayOptions.defaults()
                .withName(options.workerId())
                .withLeaseFor(options.leaseFor())
                .withMaxAttempts(options.maxAttempts())
                .withBackoff(Backoff.defaults().withFirst(options.backoff()))
                .withSweepEvery(options.poll()))
        .withConcurrency(options.concurrency());
  }

  public int port() {
    return server.port();
  }

  /** Registers a part for closing; parts are closed in reverse order. */
  private <P extends AutoCloseable> P closedLast(P part) {
    parts.push(part);
    return part;
  }

  @Override
  public void close() {
    while (!parts.isEmpty()) {
      try {
        parts.pop().close();
      } catch (Exception failed) {
        LOG.warn("wiki: a part did not close: error={}", failed.getMessage());
      }
    }
  }
}
