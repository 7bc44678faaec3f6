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
import io.postroad.admin.OutboxAdmin;
import io.postroad.framework.RetryLine;
import io.postroad.framework.internal.operate.OperationRefusedException;
import io.postroad.framework.internal.operate.OutboxOperations;
import io.postroad.framework.internal.operate.OutboxOperations.Change;
import io.postroad.micronaut.internal.settings.EndpointProperties;
import java.security.Principal;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * The endpoint {@code /postroad}: shows operators the state of the outbox and of the retry line,
 * which is below {@code /retries}, and takes their decisions.
 *
 * <p>Sensitive, as Micronaut calls it: without Micronaut Security it answers 401, unless {@code
 * endpoints.postroad.sensitive=false}. Changes are refused unless {@code
 * postroad.endpoint.writes-enabled} is set. Safe to use from many threads; each call waits for the
 * database on a thread for blocking work.
 */
@Endpoint(id = "postroad", defaultSensitive = true)
@Requires(classes = {Endpoint.class, HttpRequest.class})
@Requires(beans = OutboxAdmin.class)
class PostroadEndpoint {
  private static final String NOT_LOGGED_IN = "management (not logged in)";

  private final OutboxOperations operations;

  PostroadEndpoint(
      OutboxAdmin admin, Optional<RetryLine<?>> retries, EndpointProperties properties) {
    this.operations = new OutboxOperations(admin, retries, properties.allowsWrites());
  }

  /** Returns counts of the outbox and of the retry line. */
  @Read
  @ExecuteOn(TaskExecutors.BLOCKING)
  public Map<String, Object> overview() {
    return operations.overview();
  }

  /** Returns one of the lists: dead-letters, parked-keys, paused or audit; up to a hundred each. */
  @Read
  @ExecuteOn(TaskExecutors.BLOCKING)
  public Map<String, Object> list(@Selector String list) {
    return answer(() -> operations.list(list));
  }

  /** Returns the same of the retry line, with {@code retries} as line. */
  @Read
  @ExecuteOn(TaskExecutors.BLOCKING)
  public Map<String, Object> listOf(@Selector String line, @Selector String list) {
    return answer(() -> operations.list(line, list));
  }

  /**
   * Replays, skips or discards a dead letter, or pauses or resumes a destination.
   *
   * @param body id of the dead letter or destination, as the verb needs it; and the reason, a
   *     sentence for the audit
   */
  @Write
  @ExecuteOn(TaskExecutors.BLOCKING)
  public Map<String, Object> decide(
      @Selector String verb, @Body Map<String, String> body, HttpRequest<?> request) {
    return answer(() -> operations.change(change(verb, body, request)));
  }

  /** Does the same in the retry line, with {@code retries} as line. */
  @Write
  @ExecuteOn(TaskExecutors.BLOCKING)
  public Map<String, Object> decideIn(
      @Selector String line,
      @Selector String verb,
      @Body Map<String, String> body,
      HttpRequest<?> request) {
    return answer(() -> operations.change(line, change(verb, body, request)));
  }

  private static Change change(String verb, Map<String, String> body, HttpRequest<?> request) {
    String actor = request.getUserPrincipal().map(Principal::getName).orElse(NOT_LOGGED_IN);
    return new Change(verb, actor, body.get("id"), body.get("destination"), body.get("reason"));
  }

  private static Map<String, Object> answer(Supplier<Map<String, Object>> operation) {
    try {
      return operation.get();
    } catch (OperationRefusedException refused) {
      throw new HttpStatusException(
          HttpStatus.valueOf(refused.status()), String.valueOf(refused.getMessage()));
    }
  }
}
