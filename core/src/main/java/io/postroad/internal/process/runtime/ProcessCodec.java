package io.postroad.internal.process.runtime;

import io.postroad.internal.process.engine.Result.Logged;
import io.postroad.internal.process.engine.Input;
import io.postroad.internal.process.engine.ProcessState;
import io.postroad.internal.process.engine.StepProgress;
import io.postroad.internal.process.record.RecordMaps;
import io.postroad.internal.process.record.Sparse;
import io.postroad.message.JsonCodec;
import io.postroad.message.MessageIds;
import io.postroad.process.FailureKind;
import io.postroad.process.ProcessEvent;
import io.postroad.process.ProcessInstance;
import io.postroad.process.ProcessStatus;
import io.postroad.spi.ProcessLogEntry;
import io.postroad.spi.StoredProcess;
import java.time.Instant;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/** How processes and their logs are written for the store, and read. Safe for many threads. */
public final class ProcessCodec {
  private static final int MAX_FAILURE = 4_000;
  private static final Map<String, Class<? extends ProcessEvent>> EVENTS = events();

  private final JsonCodec codec;
  private final RecordMaps records;

  public ProcessCodec(JsonCodec codec) {
    this.codec = codec;
    this.records = new RecordMaps(codec);
  }

  /** What of a state has no column of its own. */
  @Sparse
  record Snapshot(
      Optional<FailureKind> kind,
      Optional<String> failure,
      Optional<String> undoFailure,
      long done,
      Map<String, Map<String, Object>> branchData,
      Map<String, List<Integer>> arrived,
      Map<String, List<Map<String, Object>>> signals,
      List<StepProgress> steps,
      Optional<Instant> deadline,
      Optional<ProcessState.Carried> carried,
      List<ProcessEvent.RequestQueued> requests) {}

  /** Data as JSON has it: what a step sees does not depend on when it was read. */
  public Map<String, Object> plain(Map<String, Object> data) {
    return decoded(codec.encode(data));
  }

  String encode(Map<String, Object> data) {
    return codec.encode(data);
  }

  @SuppressWarnings("unchecked")
  Map<String, Object> decoded(String json) {
    return codec.decode(json, Map.class);
  }

  String reply(Input.Reply reply) {
    return records.write(reply, Input.Reply.class);
  }

  Input.Reply reply(String json) {
    return records.read(json, Input.Reply.class);
  }

  public StoredProcess stored(
      ProcessState state, String currentStep, int retries, boolean isUnique) {
    Snapshot snapshot =
        new Snapshot(
            state.kind(),
            state.failure(),
            state.undoFailure(),
            state.done(),
            state.branchData(),
            state.arrived(),
            state.signals(),
            List.copyOf(state.all()),
            state.deadline(),
            state.carried(),
            state.requests());
    return new StoredProcess(
        state.id(),
        state.type(),
        state.businessKey(),
        isUnique,
        state.status().name(),
        state.status().isActive(),
        currentStep,
        codec.encode(state.data()),
        retries,
        state.definition(),
        state.isPaused(),
        state.failureKind().map(Enum::name),
        state.failureText().map(ProcessCodec::bounded),
        records.write(snapshot, Snapshot.class),
        state.due(),
        state.seq(),
        state.createdAt(),
        state.updatedAt());
  }

  /** A process of which something is different that is no event. */
  StoredProcess changed(StoredProcess from, ProcessState to) {
    return stored(to, from.currentStep(), from.retries(), from.isUnique());
  }

  private static String bounded(String text) {
    return text.length() <= MAX_FAILURE ? text : text.substring(0, MAX_FAILURE);
  }

  public ProcessState state(StoredProcess stored) {
    Snapshot snapshot = records.read(stored.snapshot(), Snapshot.class);
    Map<String, StepProgress> steps = new LinkedHashMap<>();
    snapshot.steps().forEach(progress -> steps.put(progress.node(), progress));
    return new ProcessState(
        stored.id(),
        stored.type(),
        stored.businessKey(),
        stored.definition(),
        ProcessStatus.valueOf(stored.status()),
        stored.isPaused(),
        snapshot.kind(),
        snapshot.failure(),
        snapshot.undoFailure(),
        stored.lastSeq(),
        snapshot.done(),
        decoded(stored.data()),
        snapshot.branchData(),
        snapshot.arrived(),
        snapshot.signals(),
        steps,
        snapshot.deadline(),
        snapshot.carried(),
        snapshot.requests(),
        stored.createdAt(),
        stored.updatedAt());
  }

  ProcessInstance instance(StoredProcess stored) {
    return new ProcessInstance(
        stored.id(),
        stored.type(),
        stored.businessKey(),
        ProcessStatus.valueOf(stored.status()),
        stored.currentStep(),
        decoded(stored.data()),
        stored.retries(),
        stored.createdAt(),
        stored.updatedAt());
  }

  List<ProcessLogEntry> entries(UUID process, List<Logged> events) {
    return events.stream().map(logged -> entry(process, logged)).toList();
  }

  public ProcessLogEntry entry(UUID process, Logged logged) {
    return new ProcessLogEntry(
        MessageIds.next(),
        process,
        logged.seq(),
        logged.event().type(),
        logged.event().about(),
        codec.encode(map(logged.event())),
        logged.at());
  }

  @SuppressWarnings("unchecked")
  private static <E extends ProcessEvent> Map<String, Object> map(E event) {
    return RecordMaps.toMap(event, (Class<E>) event.getClass());
  }

  public ProcessEvent event(ProcessLogEntry entry) {
    Class<? extends ProcessEvent> type = EVENTS.get(entry.type());
    if (type == null) {
      throw new IllegalStateException(
          "log entry %d of process %s is a %s, which this version does not know; it knows %s"
              .formatted(entry.seq(), entry.processId(), entry.type(), EVENTS.keySet()));
    }
    return RecordMaps.fromMap(decoded(entry.data()), type);
  }

  @SuppressWarnings("unchecked")
  private static Map<String, Class<? extends ProcessEvent>> events() {
    Map<String, Class<? extends ProcessEvent>> byName = new HashMap<>();
    for (Class<?> sealed : List.of(ProcessEvent.class, ProcessEvent.OfStep.class)) {
      for (Class<?> type : sealed.getPermittedSubclasses()) {
        if (type.isRecord()) {
          byName.put(type.getSimpleName(), (Class<? extends ProcessEvent>) type);
        }
      }
    }
    return Map.copyOf(byName);
  }
}
