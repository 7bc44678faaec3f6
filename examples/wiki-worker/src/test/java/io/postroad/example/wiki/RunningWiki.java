package io.postroad.example.wiki;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoDatabase;
import io.postroad.jackson.JacksonJsonCodec;
import io.postroad.outbox.OutboxSignal;
import io.postroad.servers.MongoServer;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.bson.BsonBinary;
import org.bson.Document;

/** A wiki with its own port and database. */
final class RunningWiki implements AutoCloseable {
  private final HttpClient http = HttpClient.newHttpClient();
  private final Signals signals = new Signals();
  private final MongoClient client;
  private final MongoDatabase database;
  private final WikiApplication application;

  /** Returns the instance for all tests without special settings. */
  static RunningWiki shared() {
    return Shared.WIKI;
  }

  static RunningWiki start(Map<String, String> settings) {
    return start(MongoServer.shared(), MongoServer.shared().freshDatabase("wiki"), settings);
  }

  static RunningWiki start(MongoServer server, String database, Map<String, String> settings) {
    Map<String, String> environment = new HashMap<>();
    environment.put("APP_PORT", "0");
    environment.put("MONGODB_URI", server.connectionString());
    environment.put("MONGODB_DATABASE", database);
    environment.put("OUTBOX_POLL_MILLIS", "50");
    environment.put("OUTBOX_BACKOFF_MILLIS", "1");
    environment.put("OUTBOX_MAX_ATTEMPTS", "3");
    environment.putAll(settings);
    return new RunningWiki(server, database, WikiOptions.of(environment));
  }

  private RunningWiki(MongoServer server, String database, WikiOptions options) {
    application = WikiApplication.start(options, signals);
    client = MongoClients.create(server.connectionString());
    this.database = client.getDatabase(database);
  }

  /** Starts another node with the same database. */
  RunningWiki another() {
    return start(MongoServer.shared(), database.getName(), Map.of("WORKER_ID", "another"));
  }

  WikiApplication application() {
    return application;
  }

  MongoCollection<Document> collection(String name) {
    return database.getCollection(name);
  }

  /** Makes the server refuse documents that do not match. */
  void validate(String name, Document validator) {
    var unused = database.runCommand(new Document("collMod", name).append("validator", validator));
  }

  /** Returns the document of an event, by its name, for example {@code wiki:page:1}. */
  Document event(String name) {
    UUID id = id(name);
    return collection("outbox")
        .find(
            new Document(
                "$or",
                List.of(
                    new Document("_id", id.toString()),
                    new Document("postroad_id", new BsonBinary(id)))))
        .first();
  }

  static UUID id(String name) {
    return UUID.nameUUIDFromBytes(name.getBytes(StandardCharsets.UTF_8));
  }

  Signals signals() {
    return signals;
  }

  /** Waits until the event was handled. */
  void awaitDone(String name) throws InterruptedException {
    var unused =
        signals.await(
            OutboxSignal.Delivered.class, 1, signal -> signal.message().id().equals(id(name)));
  }

  /** Waits for a number of documents, for changes without a signal of this node. */
  void awaitCount(String name, Document like, long count) {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
    while (collection(name).countDocuments(like) != count) {
      if (System.nanoTime() - deadline >= 0) {
        throw new AssertionError(
            "%d of %d in %s".formatted(collection(name).countDocuments(like), count, name));
      }
    }
  }

  /** Saves a page and waits until it is rendered and indexed. */
  void write(String page, long base, String title, String text) throws Exception {
    HttpResponse<String> saved = save(page, base, title, text);
    if (saved.statusCode() != 201) {
      throw new AssertionError(saved.body());
    }
    awaitDone("wiki:%s:%d".formatted(page, base + 1));
    awaitDone("search:%s:%d".formatted(page, base + 1));
  }

  HttpResponse<String> save(String page, long base, String title, String text)
      throws IOException, InterruptedException {
    return put(
        "/api/pages/" + page,
        JacksonJsonCodec.create()
            .encode(Map.of("base_revision", base, "title", title, "text", text, "author", "ada")));
  }

  HttpResponse<String> get(String path) throws IOException, InterruptedException {
    return send("GET", path, "", "");
  }

  HttpResponse<String> put(String path, String json) throws IOException, InterruptedException {
    return send("PUT", path, "application/json", json);
  }

  HttpResponse<String> post(String path, String json) throws IOException, InterruptedException {
    return send("POST", path, "application/json", json);
  }

  HttpResponse<String> send(String method, String path, String contentType, String body)
      throws IOException, InterruptedException {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create("http://localhost:" + application.port() + path))
            .method(
                method,
                body.isEmpty()
                    ? HttpRequest.BodyPublishers.noBody()
                    : HttpRequest.BodyPublishers.ofString(body));
    if (!contentType.isEmpty()) {
      request.header("Content-Type", contentType);
    }
    return http.send(request.build(), HttpResponse.BodyHandlers.ofString());
  }

  /** Counts the documents of user input and of events. */
  long stored() {
    return collection("page_revisions").countDocuments()
        + collection("media").countDocuments()
        + collection("outbox").countDocuments();
  }

  @Override
  public void close() {
    application.close();
    client.close();
  }

  private static final class Shared {
    static final RunningWiki WIKI = start(Map.of());
  }
}
