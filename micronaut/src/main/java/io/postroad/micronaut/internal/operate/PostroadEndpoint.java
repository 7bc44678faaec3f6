package io.postroad.micronaut.internal.operate;

import io.micronaut.context.annotation.Requires;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.exceptions.HttpStatusException;
import io.micronaut.management.endpoint.annotation.Endpoint;
import io.micronaut.management.endpoint.annotation.Read;
import io.micronaut.management.endpoint.annotation.Selector;
import io.micronaut.management.endpoint.annotation.Write;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import io.postroad.admin.NotPossibleException;
import io.postroad.admin.OutboxAdmin;
import io.postroad.micronaut.internal.settings.EndpointProperties;
import io.postroad.micronaut.internal.wiring.RetryLine;
import io.postroad.store.Decision;
import java.security.Principal;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * {@code /postroad}: how the outbox and the retry line of the inbox stand, and what a person may
 * decide about them. What stands below {@code /retries} is the retry line's.
 *
 * <p>Sensitive, as Micronaut calls it: without Micronaut Security nobody reaches it unless {@code
 * endpoints.postroad.sensitive=false}. Reading shows no payload. Changing is refused unless {@code
 * postroad.endpoint.writes-enabled} is set; every change is in the audit with who asked for it, and
 * why. Safe to use from many threads; it waits for the database, on a thread for that.
 */
@Endpoint(id = "postroad", defaultSensitive = true)
@Requires(classes = {Endpoint.class, HttpRequest.class})
@Requires(beans = OutboxAdmin.class)
class PostroadEndpoint {
  private static final String NOBODY = "management (not logged in)";
  private static final String RETRIES = "retries";

  private final OutboxAdmin admin;
  private final Optional<OutboxAdmin> retries;
  private final EndpointProperties properties;

  /** With the retry line, if there is an inbox. */
  PostroadEndpoint(
      OutboxAdmin admin, Optional<RetryLine<?>> retries, EndpointProperties properties) {
    this.admin = admin;
    this.retries = retries.map(line -> OutboxAdmin.over(line.store()));
    this.properties = properties;
  }

  /** How much waits, is dead, and is held back. */
  @Read
  @ExecuteOn(TaskExecutors.BLOCKING)
  public Map<String, Object> overview() {
    Map<String, Object> overview = AdminView.standing(admin);
    retries.ifPresent(line -> overview.put(RETRIES, AdminView.standing(line)));
    return overview;
  }

  /** One of the lists: dead-letters, parked-keys, paused or audit; up to a hundred each. */
  @Read
  @ExecuteOn(TaskExecutors.BLOCKING)
  public Map<String, Object> list(@Selector String list) {
    return answered(() -> AdminView.list(admin, list));
  }

  /**
   * The same of the retry line.
   *
   * @param line retries
   */
  @Read
  @ExecuteOn(TaskExecutors.BLOCKING)
  public Map<String, Object> listOf(@Selector String line, @Selector String list) {
    return answered(() -> AdminView.list(retriesAt(line), list));
  }

  /**
   * Does something: replay, skip or discard a dead letter; pause or resume a destination.
   *
   * @param verb what to do
   * @param body id of the dead letter or destination, as the verb needs it; and the reason, in a
   *     sentence, for the audit
   */
  @Write
  @ExecuteOn(TaskExecutors.BLOCKING)
  public Map<String, Object> decide(
      @Selector String verb, @Body Map<String, String> body, HttpRequest<?> request) {
    return decided(() -> admin, verb, body, request);
  }

  /**
   * The same in the retry line, where the destination of a message is the name of its handler.
   *
   * @param line retries
   */
  @Write
  @ExecuteOn(TaskExecutors.BLOCKING)
  public Map<String, Object> decideIn(
      @Selector String line,
      @Selector String verb,
      @Body Map<String, String> body,
      HttpRequest<?> request) {
    return decided(() -> retriesAt(line), verb, body, request);
  }

  private Map<String, Object> decided(
      Supplier<OutboxAdmin> of, String verb, Map<String, String> body, HttpRequest<?> request) {
    if (!properties.allowsWrites()) {
      throw new HttpStatusException(
          HttpStatus.FORBIDDEN,
          "changes are switched off, nothing was changed; set postroad.endpoint.writes-enabled=true"
              + " where only those reach this endpoint who may decide");
    }
    return answered(
        () -> {
          Decision decision = new Decision(who(request), required(body, "reason"));
          act(of.get(), verb, body, decision);
          return Map.of("done", verb);
        });
  }

  private static void act(
      OutboxAdmin admin, String verb, Map<String, String> body, Decision decision) {
    switch (verb) {
      case "replay" -> admin.replay(id(body), decision);
      case "skip" -> admin.skip(id(body), decision);
      case "discard" -> admin.discard(id(body), decision);
      case "pause" -> admin.pause(required(body, "destination"), decision);
      case "resume" -> admin.resume(required(body, "destination"), decision);
      default ->
          throw new IllegalArgumentException(
              "'%s' cannot be done; replay, skip, discard, pause and resume can; nothing was changed"
                  .formatted(verb));
    }
  }

  private OutboxAdmin retriesAt(String line) {
    if (!line.equals(RETRIES)) {
      throw new IllegalArgumentException(
          "there is nothing at '%s'; the retry line is at '%s'".formatted(line, RETRIES));
    }
    return retries.orElseThrow(
        () -> new IllegalArgumentException("there is no inbox here, and so no retry line"));
  }

  private static UUID id(Map<String, String> body) {
    return UUID.fromString(required(body, "id"));
  }

  private static String required(Map<String, String> body, String name) {
    @Nullable String value = body.get(name);
    if (value == null) {
      throw new IllegalArgumentException(name + " is missing; nothing was changed");
    }
    return value;
  }

  private static String who(HttpRequest<?> request) {
    return request.getUserPrincipal().map(Principal::getName).orElse(NOBODY);
  }

  /** What cannot be done is the fault of whoever asks. */
  private static Map<String, Object> answered(Supplier<Map<String, Object>> answer) {
    try {
      return answer.get();
    } catch (NotPossibleException | IllegalArgumentException refused) {
      throw new HttpStatusException(HttpStatus.BAD_REQUEST, String.valueOf(refused.getMessage()));
    }
  }
}
