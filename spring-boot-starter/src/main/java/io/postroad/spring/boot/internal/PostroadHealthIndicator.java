package io.postroad.spring.boot.internal;

import io.postroad.outbox.OutboxRelay;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.Status;

/**
 * DOWN when nothing can be stored; DEGRADED, with the reasons, when what is stored does not get
 * away as it should, or messages of the retry line do not: the application works, and a restart
 * would not help. UP otherwise, also while a broker is away and the backlog is below its limit.
 *
 * <p>Safe to use from many threads. Its cost does not grow with the number of messages.
 */
public final class PostroadHealthIndicator extends AbstractHealthIndicator {
  public static final Status DEGRADED = new Status("DEGRADED");

  private final OutboxExam outbox;
  private final @Nullable OutboxExam retries;
  private final @Nullable OutboxRelay relay;

  /**
   * @param retries the retry line; none where there is no inbox
   * @param relay the one that should run; none where another node sends, or a test does
   */
  public PostroadHealthIndicator(
      OutboxExam outbox, @Nullable OutboxExam retries, @Nullable OutboxRelay relay) {
    super("the outbox cannot be reached");
    this.outbox = outbox;
    this.retries = retries;
    this.relay = relay;
  }

  @Override
  protected void doHealthCheck(Health.Builder health) {
    List<String> reasons = new ArrayList<>();
    if (relay != null && !relay.isRunning()) {
      reasons.add("the relay is not running, nothing is sent by this node; restart it");
    }
    OutboxExam.Result sent = outbox.examine();
    reasons.addAll(sent.reasons());
    sent.details().forEach(health::withDetail);
    if (retries != null) {
      OutboxExam.Result again = retries.examine();
      again.reasons().forEach(reason -> reasons.add("in the retry line: " + reason));
      health.withDetail("retries", again.details());
    }
    health.status(reasons.isEmpty() ? Status.UP : DEGRADED);
    if (!reasons.isEmpty()) {
      health.withDetail("reasons", reasons);
    }
  }
}
