package io.postroad.micronaut.guide;

import io.micronaut.context.annotation.Requires;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;

@Singleton
@Requires(env = "guide")
public class LimitService {
  private final List<UUID> reversed = new CopyOnWriteArrayList<>();

  // No @Transactional here: the framework's transaction is there all the same.
  public Map<String, Object> bookLimits(BookLimitsCommand cmd) {
    return Map.of("limitId", UUID.randomUUID().toString());
  }

  public void reverseLimits(ReverseLimitsCommand cmd) {
    reversed.add(cmd.limitId());
  }

  public List<UUID> reversed() {
    return reversed;
  }
}
