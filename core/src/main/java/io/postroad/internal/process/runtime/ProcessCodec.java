package io.postroad.internal.process.runtime;

import io.postroad.internal.process.engine.CurrentStep;
import io.postroad.internal.process.engine.Input;
import io.postroad.internal.process.engine.ProcessState;
import io.postroad.internal.process.engine.Result.Logged;
import io.postroad.internal.process.engine.Snapshot;
import io.postroad.internal.process.record.RecordMaps;
import io.postroad.message.JsonCodec;
import io.postroad.message.MessageIds;
import io.postroad.process.ProcessEvent;
import io.postroad.process.ProcessInstance;
import io.postroad.process.ProcessStatus;
import io.postroad.spi.process.ProcessIdentity;
import io.postroad.spi.process.ProcessLogEntry;
import io.postroad.spi.process.ProcessSummary;
import io.postroad.spi.process.StoredProcess;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** Converts processes and their logs to the texts of a store and back. Safe for many threads. */
public final class ProcessCodec {
  private static final int MAX_FAILURE = 4_000;
  private static final Map<String, Class<? extends ProcessEvent>> EVENTS = events();

  private final JsonCodec codec;
  private final RecordMaps records;

  public ProcessCodec(JsonCodec codec) {
    this.codec = codec;
    this.records = new RecordMaps(codec);
  }

  /** Returns data as a store would return it, so that a step always sees the same types. */
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

  public StoredProcess stored(ProcessState state, CurrentStep at) {
    ProcessSummary summary =
        new ProcessSummary(
            state.status().name(),
            state.status().isActive(),
            state.isPaused(),
            at.name(),
            at.retries(),
            state.failureKind().map(Enum::name),
            state.failureText().map(ProcessCodec::bounded));
    return new StoredProcess(
        state.identity(),
        summary,
        codec.encode(state.data()),
        records.write(state.snapshot(), Snapshot.class),
        state.due(),
        state.seq(),
        state.updatedAt());
  }

  /** Writes a state that was changed without an event; the current step stays as it was. */
  StoredProcess changed(StoredProcess from, ProcessState to) {
    ProcessSummary summary = from.summary();
    return stored(to, new CurrentStep(summary.currentStep(), summary.retries()));
  }

  private static String bounded(String text) {
    return text.length() <= MAX_FAILURE ? text : text.substring(0, MAX_FAILURE);
  }

  public ProcessState state(StoredProcess stored) {
    return new ProcessState(
        stored.identity(),
        ProcessStatus.valueOf(stored.summary().status()),
        stored.summary().isPaused(),
        decoded(stored.data()),
        records.read(stored.snapshot(), Snapshot.class),
        stored.lastSeq(),
        stored.updatedAt());
  }

  ProcessInstance instance(StoredProcess stored) {
    ProcessIdentity identity = stored.identity();
    ProcessSummary summary = stored.summary();
    return new ProcessInstance(
        identity.id(),
        identity.type(),
        identity.businessKey(),
        ProcessStatus.valueOf(summary.status()),
        summary.currentStep(),
        decoded(stored.data()),
        summary.retries(),
        identity.createdAt(),
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
