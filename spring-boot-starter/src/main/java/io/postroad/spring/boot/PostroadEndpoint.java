package io.postroad.spring.boot;

import io.postroad.admin.OutboxAdmin;
import io.postroad.framework.RetryLine;
import io.postroad.framework.internal.operate.OperationRefusedException;
import io.postroad.framework.internal.operate.OutboxOperations;
import io.postroad.framework.internal.operate.OutboxOperations.Change;
import java.security.Principal;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.SecurityContext;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.annotation.WriteOperation;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;

/**
 * The endpoint {@code /actuator/postroad}: shows operators the state of the outbox and of the retry
 * line, which is below {@code /retries}, and takes their decisions.
 *
 * <p>Changes are refused (403) unless {@code postroad.endpoint.writes-enabled} is set. A request
 * that is wrong or not possible is answered with 400. In both cases nothing was changed, and {@code
 * error} says why. Safe to use from many threads.
 */
@Endpoint(id = "postroad")
public final class PostroadEndpoint {
  private static final String NOT_LOGGED_IN = "actuator (not logged in)";

  private final OutboxOperations operations;

  /**
   * @param retries empty where there is no inbox
   */
  PostroadEndpoint(
      OutboxAdmin admin, Optional<? extends RetryLine<?>> retries, boolean writesEnabled) {
    this.operations = new OutboxOperations(admin, retries, writesEnabled);
  }

  /** Returns counts of the outbox and of the retry line. */
  @ReadOperation
  public Map<String, Object> overview() {
    return operations.overview();
  }

  /** Returns one of the lists: dead-letters, parked-keys, paused or audit; up to a hundred each. */
  @ReadOperation
  public WebEndpointResponse<Map<String, Object>> list(@Selector String list) {
    return answer(() -> operations.list(list));
  }

  /** Returns the same of the retry line, with {@code retries} as line. */
  @ReadOperation
  public WebEndpointResponse<Map<String, Object>> listOf(
      @Selector String line, @Selector String list) {
    return answer(() -> operations.list(line, list));
  }

  /**
   * Replays, skips or discards a dead letter, or pauses or resumes a destination.
   *
   * @param id of the dead letter, for the verbs that need one
   * @param destination for the verbs that need one
   * @param reason a sentence for the audit
   */
  @WriteOperation
  public WebEndpointResponse<Map<String, Object>> decide(
      @Selector String verb,
      @Nullable String id,
      @Nullable String destination,
      @Nullable String reason,
      SecurityContext security) {
    return answer(
        () -> operations.change(new Change(verb, actor(security), id, destination, reason)));
  }

  /** Does the same in the retry line, with {@code retries} as line. */
  @WriteOperation
  public WebEndpointResponse<Map<String, Object>> decideIn(
      @Selector String line,
      @Selector String verb,
      @Nullable String id,
      @Nullable String destination,
      @Nullable String reason,
      SecurityContext security) {
    return answer(
        () -> operations.change(line, new Change(verb, actor(security), id, destination, reason)));
  }

  private static String actor(SecurityContext security) {
    @Nullable Principal principal = security.getPrincipal();
    return principal == null ? NOT_LOGGED_IN : principal.getName();
  }

  private static WebEndpointResponse<Map<String, Object>> answer(
      Supplier<Map<String, Object>> operation) {
    try {
      return new WebEndpointResponse<>(operation.get());
    } catch (OperationRefusedException refused) {
      return new WebEndpointResponse<>(
          Map.of("error", String.valueOf(refused.getMessage())), refused.status());
    }
  }
}
