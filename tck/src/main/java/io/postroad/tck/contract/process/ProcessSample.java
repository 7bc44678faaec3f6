package io.postroad.tck.contract.process;

import io.postroad.message.MessageIds;
import io.postroad.spi.ProcessStore;
import io.postroad.spi.StoredProcess;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;

/** Makes a process for a test: one that runs, with one log entry, unless it is told otherwise. */
final class ProcessSample {
  private UUID id = MessageIds.next();
  private String type = Processes.TYPE;
  private String businessKey = "payment-" + id;
  private boolean unique = true;
  private String status = "RUNNING";
  private boolean active = true;
  private String currentStep = "BookLimits";
  private String data = "{\"n\":0}";
  private int retries;
  private String definition = "hash-1";
  private boolean paused;
  private Optional<String> failureKind = Optional.empty();
  private Optional<String> failure = Optional.empty();
  private String marking = "{\"at\":[\"BookLimits\"]}";
  private Optional<Instant> dueAt = Optional.empty();
  private long lastSeq = 1;
  private Instant createdAt;
  private Instant updatedAt;

  private ProcessSample(Instant now) {
    createdAt = now;
    updatedAt = now;
  }

  /** A new one, started now. */
  static ProcessSample of(ProcessStore<?> store) {
    return new ProcessSample(store.now());
  }

  /** One that can be changed from how this one stands. */
  static ProcessSample from(StoredProcess process) {
    ProcessSample sample = new ProcessSample(process.createdAt());
    sample.id = process.id();
    sample.type = process.type();
    sample.businessKey = process.businessKey();
    sample.unique = process.isUnique();
    sample.status = process.status();
    sample.active = process.isActive();
    sample.currentStep = process.currentStep();
    sample.data = process.data();
    sample.retries = process.retries();
    sample.definition = process.definition();
    sample.paused = process.isPaused();
    sample.failureKind = process.failureKind();
    sample.failure = process.failure();
    sample.marking = process.marking();
    sample.dueAt = process.dueAt();
    sample.lastSeq = process.lastSeq();
    sample.updatedAt = process.updatedAt();
    return sample;
  }

  ProcessSample id(UUID value) {
    id = value;
    return this;
  }

  ProcessSample type(String value) {
    type = value;
    return this;
  }

  ProcessSample key(String value) {
    businessKey = value;
    return this;
  }

  ProcessSample unique(boolean value) {
    unique = value;
    return this;
  }

  ProcessSample active(String value) {
    status = value;
    active = true;
    return this;
  }

  /** Not active any more, and no timer. */
  ProcessSample ended(String value) {
    status = value;
    active = false;
    dueAt = Optional.empty();
    return this;
  }

  ProcessSample step(String value) {
    currentStep = value;
    return this;
  }

  ProcessSample data(String value) {
    data = value;
    return this;
  }

  ProcessSample retries(int value) {
    retries = value;
    return this;
  }

  ProcessSample definition(String value) {
    definition = value;
    return this;
  }

  ProcessSample paused(boolean value) {
    paused = value;
    return this;
  }

  ProcessSample failure(String kind, String text) {
    failureKind = Optional.of(kind);
    failure = Optional.of(text);
    return this;
  }

  ProcessSample marking(String value) {
    marking = value;
    return this;
  }

  ProcessSample due(Instant value) {
    dueAt = Optional.of(value);
    return this;
  }

  ProcessSample noTimer() {
    dueAt = Optional.empty();
    return this;
  }

  ProcessSample lastSeq(long value) {
    lastSeq = value;
    return this;
  }

  ProcessSample created(Instant value) {
    createdAt = value;
    return this;
  }

  ProcessSample updated(Instant value) {
    updatedAt = value;
    return this;
  }

  StoredProcess build() {
    return new StoredProcess(
        id,
        type,
        businessKey,
        unique,
        status,
        active,
        currentStep,
        data,
        retries,
        definition,
        paused,
        failureKind,
        failure,
        marking,
        dueAt,
        lastSeq,
        createdAt,
        updatedAt);
  }
}
