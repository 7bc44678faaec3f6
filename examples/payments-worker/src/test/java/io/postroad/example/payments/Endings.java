package io.postroad.example.payments;

import io.postroad.process.ProcessObserver;
import io.postroad.process.ProcessSignal;
import io.postroad.process.ProcessStatus;
import jakarta.inject.Singleton;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/** Reports the end of processes to tests. */
@Singleton
public class Endings implements ProcessObserver {
  private final Map<UUID, CompletableFuture<ProcessStatus>> ended = new ConcurrentHashMap<>();

  @Override
  public void on(ProcessSignal signal) {
    if (signal instanceof ProcessSignal.Ended end) {
      of(end.processId()).complete(end.status());
    }
  }

  public ProcessStatus await(UUID processId) throws Exception {
    return of(processId).get(60, TimeUnit.SECONDS);
  }

  private CompletableFuture<ProcessStatus> of(UUID processId) {
    return ended.computeIfAbsent(processId, id -> new CompletableFuture<>());
  }
}
