package io.postroad.example.wiki;

import com.mongodb.ConnectionString;
import io.postroad.example.wiki.store.OutboxCollection.IdForm;
import io.postroad.layout.PayloadForm;
import io.postroad.mongodb.MongoOptions.TransactionMode;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.function.LongFunction;

/**
 * Options of the wiki; each is an environment variable. Immutable.
 *
 * @param port {@code APP_PORT}, 8080; 0 for any
 * @param uri {@code MONGODB_URI}, {@code mongodb://localhost:27017/?replicaSet=rs0}
 * @param database {@code MONGODB_DATABASE}, {@code wiki}
 * @param workerId {@code WORKER_ID}, the value of {@code lease_owner}; by default with the names of
 *     host and process, because in containers all processes have the same number
 * @param transactions {@code OUTBOX_TRANSACTIONS}, {@code required}; {@code none} for a standalone
 *     MongoDB, with reconcilers instead of transactions
 * @param ids {@code OUTBOX_ID}, the type of {@code _id} in a new collection: {@code objectid}, or
 *     {@code string}
 * @param payload {@code OUTBOX_PAYLOAD}, the form of written payloads: {@code object} (embedded),
 *     or {@code base64}; both are read
 * @param leaseFor {@code OUTBOX_LEASE_SECONDS}, 60
 * @param maxAttempts {@code OUTBOX_MAX_ATTEMPTS}, N of the specification, 8
 * @param backoff {@code OUTBOX_BACKOFF_MILLIS}, 1000: the wait after the first failure, which
 *     doubles after each further one, up to 5 min
 * @param poll {@code OUTBOX_POLL_MILLIS}, 1000: the longest wait of an event of another program
 * @param concurrency {@code WORKER_CONCURRENCY}, 4: the number of events of one stream that are
 *     handled at once
 * @param reconcileEvery {@code RECONCILE_SECONDS}, 60
 */
public record WikiOptions(
    int port,
    String uri,
    String database,
    String workerId,
    TransactionMode transactions,
    IdForm ids,
    PayloadForm payload,
    Duration leaseFor,
    int maxAttempts,
    Duration backoff,
    Duration poll,
    int concurrency,
    Duration reconcileEvery) {

  /**
   * Reads the options from environment variables.
   *
   * @throws IllegalArgumentException if a value is wrong; the text has the variable, its value and
   *     the allowed values
   */
  public static WikiOptions of(Map<String, String> environment) {
    Settings settings = new Settings(environment);
    return new WikiOptions(
        settings.number("APP_PORT", 8080, 0, 65_535),
        settings.uri("MONGODB_URI", "mongodb://localhost:27017/?replicaSet=rs0"),
        settings.name("MONGODB_DATABASE", "wiki", "[A-Za-z0-9_-]{1,63}"),
        settings.name("WORKER_ID", thisProcess(), "[A-Za-z0-9._:-]{1,200}"),
        settings.oneOf(
            "OUTBOX_TRANSACTIONS",
            "required",
            Map.of("required", TransactionMode.REQUIRED, "none", TransactionMode.NONE)),
        settings.oneOf(
            "OUTBOX_ID", "objectid", Map.of("objectid", IdForm.OBJECTID, "string", IdForm.STRING)),
        settings.oneOf(
            "OUTBOX_PAYLOAD",
            "object",
            Map.of("object", PayloadForm.JSON, "base64", PayloadForm.BASE64)),
        settings.span("OUTBOX_LEASE_SECONDS", 60, 86_400, Duration::ofSeconds),
        settings.number("OUTBOX_MAX_ATTEMPTS", 8, 1, 1_000),
        settings.span("OUTBOX_BACKOFF_MILLIS", 1_000, 300_000, Duration::ofMillis),
        settings.span("OUTBOX_POLL_MILLIS", 1_000, 60_000, Duration::ofMillis),
        settings.number("WORKER_CONCURRENCY", 4, 1, 1_000),
        settings.span("RECONCILE_SECONDS", 60, 86_400, Duration::ofSeconds));
  }

  private static String thisProcess() {
    return "wiki-%s-%d".formatted(hostName(), ProcessHandle.current().pid());
  }

  private static String hostName() {
    try {
      return InetAddress.getLocalHost().getHostName();
    } catch (UnknownHostException nameless) {
      return "localhost";
    }
  }

  /** Reads single variables. */
  private record Settings(Map<String, String> environment) {
    String text(String name, String otherwise) {
      return environment.getOrDefault(name, otherwise);
    }

    /**
     * Reads a connection string. An error does not repeat it, because it may contain a password.
     */
    String uri(String name, String otherwise) {
      String given = text(name, otherwise);
      try {
        var unused = new ConnectionString(given);
        return given;
      } catch (IllegalArgumentException other) {
        throw new IllegalArgumentException(
            name + " must be a connection string, as mongodb://host:27017");
      }
    }

    String name(String name, String otherwise, String form) {
      String given = text(name, otherwise);
      if (!given.matches(form)) {
        throw new IllegalArgumentException(
            "%s must be like %s, got '%s'".formatted(name, form, given));
      }
      return given;
    }

    int number(String name, int otherwise, int least, int most) {
      String given = text(name, Integer.toString(otherwise));
      try {
        int number = Integer.parseInt(given);
        if (number >= least && number <= most) {
          return number;
        }
      } catch (NumberFormatException other) {
        // Refused below.
      }
      throw new IllegalArgumentException(
          "%s must be a whole number from %d to %d, got '%s'".formatted(name, least, most, given));
    }

    Duration span(String name, int otherwise, int most, LongFunction<Duration> unit) {
      return unit.apply(number(name, otherwise, 1, most));
    }

    <V> V oneOf(String name, String otherwise, Map<String, V> words) {
      String given = text(name, otherwise);
      V value = words.get(given.toLowerCase(Locale.ROOT));
      if (value == null) {
        throw new IllegalArgumentException(
            "%s must be one of %s, got '%s'"
                .formatted(name, words.keySet().stream().sorted().toList(), given));
      }
      return value;
    }
  }
}
