package io.postroad.tck.contract.process;

import io.postroad.message.MessageIds;
import io.postroad.spi.process.ProcessIdentity;
import io.postroad.spi.process.ProcessStore;
import io.postroad.spi.process.ProcessSummary;
import io.postroad.spi.process.StoredProcess;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;

/** Builds a process for a test; by default a running one with one log entry. */
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
  private String snapshot = "{\"at\":[\"BookLimits\"]}";
  private Optional<Instant> dueAt = Optional.empty();
  private long lastSeq = 1;
  private Instant createdAt;
  private Instant updatedAt;

  private ProcessSample(Instant now) {
    createdAt = now;
    updatedAt = now;
  }

  /** Returns a new process, started now. */
  static ProcessSample of(ProcessStore<?> store) {
    return new ProcessSample(store.now());
  }

  /** Returns a builder with the values of this process. */
  static ProcessSample from(StoredProcess process) {
    ProcessIdentity identity = process.identity();
    ProcessSummary summary = process.summary();
    ProcessSample sample = new ProcessSample(identity.createdAt());
    sample.id = identity.id();
    sample.type = identity.type();
    sample.businessKey = identity.businessKey();
    sample.unique = identity.isUnique();
    sample.definition = identity.definition();
    sample.status = summary.status();
    sample.active = summary.isActive();
    sample.paused = summary.isPaused();
    sample.currentStep = summary.currentStep();
    sample.retries = summary.retries();
    sample.failureKind = summary.failureKind();
    sample.failure = summary.failure();
    sample.data = process.data();
    sample.snapshot = process.snapshot();
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

  /** Makes the process inactive, without a timer. */
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

  ProcessSample snapshot(String value) {
    snapshot = value;
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
        new ProcessIdentity(id, type, businessKey, unique, definition, createdAt),
        new ProcessSummary(status, active, paused, currentStep, retries, failureKind, failure),
        data,
        snapshot,
        dueAt,
        lastSeq,
        updatedAt);
  }
}
