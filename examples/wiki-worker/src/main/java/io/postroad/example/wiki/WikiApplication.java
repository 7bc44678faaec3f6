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
import io.postroad.example.wiki.work.DeadLetterKeeper;
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
 * The wiki: an HTTP server, workers and, without transactions, reconcilers, all in one process. Any
 * number of such processes may share a database.
 *
 * <p>Safe to use from many threads. A crash loses nothing that was answered: with transactions what
 * waits goes on at once; without them a reconciler finds what has no event, within about two
 * minutes, because the lease of one that was killed and a key that was taken stand for a minute
 * each. Closing it lets running work end.
 */
public final class WikiApplication implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(WikiApplication.class);
  private static final String OUTBOX = "wiki";
  private static final Duration LOOK_EVERY = Duration.ofSeconds(5);

  /** The longest snapshot, all of it control characters, which are six bytes each in JSON. */
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

  /** Opens part after part; one that fails leaves those before it to be closed. */
  private WikiServer open(WikiOptions options, OutboxObserver observer) {
    JsonCodec codec = JacksonJsonCodec.create();
    MongoClient client = closedLast(MongoClients.create(options.uri()));
    WikiDatabase database = new WikiDatabase(client, options.database());
    database.create();
    OutboxCollection collection = new OutboxCollection(database);
    collection.create(options.ids());
    MongoCompetingStore store = closedLast(open(client, options));

    PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    DeadLetterKeeper keeper = closedLast(new DeadLetterKeeper(new DeadLetterArchive(database)));
    OutboxObserver observers = OutboxMeters.of(registry, OUTBOX).and(keeper).and(observer);
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
    keeper.start();
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
            new Operations(collection, OutboxAdmin.over(store), keeper, store, workers, registry)));
  }

  /** Returns when it answers. */
  public static WikiApplication start(WikiOptions options) {
    return start(options, OutboxObserver.none());
  }

  /**
   * Returns when it answers.
   *
   * @param observer hears what happens in the outbox
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
    // Of the JDK's HTTP server: who sends half a request keeps a thread no longer than this.
    System.setProperty("sun.net.httpserver.maxReqTime", "30");
    WikiApplication application = start(WikiOptions.of(System.getenv()));
    Runtime.getRuntime().addShutdownHook(new Thread(application::close, "wiki-close"));
  }

  /** The collection of the specification, with what Postroad needs added beside it. */
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

  /** What is opened first is closed last. */
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
