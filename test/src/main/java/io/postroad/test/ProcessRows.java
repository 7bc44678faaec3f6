package io.postroad.test;

import io.postroad.message.PostroadException;
import io.postroad.spi.ChangedMeanwhileException;
import io.postroad.spi.process.ProcessBusyException;
import io.postroad.spi.process.ProcessFilter;
import io.postroad.spi.process.ProcessLogEntry;
import io.postroad.spi.process.ProcessQueries;
import io.postroad.spi.process.ProcessStore;
import io.postroad.spi.process.StoredProcess;
import io.postroad.spi.process.StoredProcesses;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import java.util.WeakHashMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The processes and their logs. Guarded by the lock of the database. Other transactions see the
 * writes of a transaction after its commit.
 */
final class ProcessRows implements StoredProcesses<InMemoryTransaction>, ProcessQueries {
  /** Compares ids as text, like databases; {@code UUID.compareTo} is signed. */
  private static final Comparator<UUID> BY_ID = Comparator.comparing(UUID::toString);

  private final Database database;
  private final NavigableMap<UUID, StoredProcess> rows = new TreeMap<>(BY_ID);
  private final Map<UUID, NavigableMap<Long, ProcessLogEntry>> logs = new HashMap<>();
  private final Map<InMemoryTransaction, Written> written = new WeakHashMap<>();

  /** The writes of an open transaction. */
  private static final class Written {
    final Map<UUID, StoredProcess> rows = new HashMap<>();
    final List<ProcessLogEntry> log = new ArrayList<>();
  }

  ProcessRows(Database database) {
    this.database = database;
  }

  @Override
  public Optional<UUID> start(
      InMemoryTransaction transaction, StoredProcess process, List<ProcessLogEntry> log) {
    synchronized (database) {
      transaction.requireOpenIn(database);
      Optional<UUID> active = keyHolder(transaction, process);
      if (active.isPresent()) {
        return active;
      }
      database.locks.take(transaction, lockName(process.id()));
      if (seenBy(transaction, process.id()) != null) {
        throw failed(transaction, "cannot start process %s: its id is taken", process.id());
      }
      write(transaction, process, log);
      return Optional.empty();
    }
  }

  @Override
  public Optional<Locked> lock(InMemoryTransaction transaction, UUID id) {
    synchronized (database) {
      transaction.requireOpenIn(database);
      database.locks.take(transaction, lockName(id));
      return Optional.ofNullable(seenBy(transaction, id))
          .map(process -> new Locked(process, database.now()));
    }
  }

  @Override
  public Optional<Locked> lockNow(InMemoryTransaction transaction, UUID id) {
    synchronized (database) {
      transaction.requireOpenIn(database);
      if (database.locks.isTakenByAnother(transaction, lockName(id))) {
        throw new ProcessBusyException(id);
      }
      return lock(transaction, id);
    }
  }

  @Override
  public Optional<Locked> lockDue(InMemoryTransaction transaction) {
    synchronized (database) {
      transaction.requireOpenIn(database);
      Instant now = database.now();
      return rows.values().stream()
          .filter(process -> isDue(process, now) && isFree(process.id()))
          .min(Comparator.comparing(process -> process.dueAt().orElse(now)))
          .flatMap(process -> lock(transaction, process.id()));
    }
  }

  @Override
  public void save(
      InMemoryTransaction transaction, StoredProcess process, List<ProcessLogEntry> log) {
    synchronized (database) {
      transaction.requireOpenIn(database);
      database.locks.take(transaction, lockName(process.id()));
      @Nullable StoredProcess before = seenBy(transaction, process.id());
      if (before == null) {
        throw failed(transaction, "cannot save process %s: there is none", process.id());
      }
      if (log.stream().anyMatch(entry -> isTaken(transaction, entry))) {
        throw failed(
            transaction,
            "cannot save process %s: the numbers of its log entries are taken; lock it first",
            process.id());
      }
      StoredProcess after = saved(before, process);
      if (!before.isActive() && keyHolder(transaction, after).isPresent()) {
        throw failed(
            transaction,
            "cannot make process %s active again: another one has its business key",
            process.id());
      }
      write(transaction, after, log);
    }
  }

  @Override
  public void saveKnown(
      InMemoryTransaction transaction,
      long knownSeq,
      StoredProcess process,
      List<ProcessLogEntry> log) {
    synchronized (database) {
      transaction.requireOpenIn(database);
      database.locks.take(transaction, lockName(process.id()));
      @Nullable StoredProcess before = seenBy(transaction, process.id());
      if (before == null || before.lastSeq() != knownSeq) {
        throw ChangedMeanwhileException.ofProcess(process.id(), knownSeq);
      }
      save(transaction, process, log);
    }
  }

  /** Returns the active process that has the business key of this one. */
  private Optional<UUID> keyHolder(InMemoryTransaction transaction, StoredProcess process) {
    if (!holdsKey(process)) {
      return Optional.empty();
    }
    database.locks.take(
        transaction,
        "business key %d %s %s"
            .formatted(process.type().length(), process.type(), process.identity().businessKey()));
    return Stream.concat(rows.keySet().stream(), writtenBy(transaction).rows.keySet().stream())
        .filter(id -> !id.equals(process.id()))
        .flatMap(id -> Stream.ofNullable(seenBy(transaction, id)))
        .filter(
            other ->
                holdsKey(other)
                    && other.type().equals(process.type())
                    && other.identity().businessKey().equals(process.identity().businessKey()))
        .map(StoredProcess::id)
        .findFirst();
  }

  private static boolean holdsKey(StoredProcess process) {
    return process.identity().isUnique() && process.isActive();
  }

  private void write(
      InMemoryTransaction transaction, StoredProcess process, List<ProcessLogEntry> log) {
    StoredProcess stored = process.withDueAt(process.dueAt().map(ProcessRows::roundedUp));
    writtenBy(transaction).rows.put(process.id(), stored);
    writtenBy(transaction).log.addAll(log);
    transaction.atCommit(
        () -> {
          rows.put(stored.id(), stored);
          for (ProcessLogEntry entry : log) {
            logs.computeIfAbsent(entry.processId(), any -> new TreeMap<>()).put(entry.seq(), entry);
          }
        });
  }

  private boolean isTaken(InMemoryTransaction transaction, ProcessLogEntry entry) {
    return logOf(entry.processId()).containsKey(entry.seq())
        || writtenBy(transaction).log.stream()
            .anyMatch(own -> own.processId().equals(entry.processId()) && own.seq() == entry.seq());
  }

  private @Nullable StoredProcess seenBy(InMemoryTransaction transaction, UUID id) {
    @Nullable StoredProcess own = writtenBy(transaction).rows.get(id);
    return own == null ? rows.get(id) : own;
  }

  private Written writtenBy(InMemoryTransaction transaction) {
    return written.computeIfAbsent(transaction, any -> new Written());
  }

  private static PostroadException failed(InMemoryTransaction transaction, String text, UUID id) {
    transaction.fail();
    return new PostroadException(text.formatted(id));
  }

  @Override
  public void postpone(UUID id, Duration delay) {
    if (delay.isNegative()) {
      throw new IllegalArgumentException("a delay must not be negative, got " + delay);
    }
    synchronized (database) {
      Instant now = database.now();
      rows.computeIfPresent(
          id,
          (same, process) ->
              isDue(process, now) && isFree(id)
                  ? process.withDueAt(Optional.of(roundedUp(now.plus(delay))))
                  : process);
    }
  }

  @Override
  public Optional<StoredProcess> find(UUID id) {
    synchronized (database) {
      return Optional.ofNullable(rows.get(id));
    }
  }

  @Override
  public List<StoredProcess> list(ProcessFilter filter, int limit) {
    ProcessStore.checkLimit(limit);
    synchronized (database) {
      return rows.values().stream().filter(wantedBy(filter)).limit(limit).toList();
    }
  }

  private static Predicate<StoredProcess> wantedBy(ProcessFilter filter) {
    return process ->
        filter.type().filter(type -> !type.equals(process.type())).isEmpty()
            && filter
                .businessKey()
                .filter(key -> !key.equals(process.identity().businessKey()))
                .isEmpty()
            && (filter.statuses().isEmpty()
                || filter.statuses().contains(process.summary().status()))
            && filter.definition().filter(hash -> !hash.equals(process.definition())).isEmpty()
            && filter.updatedBefore().filter(time -> !process.updatedAt().isBefore(time)).isEmpty()
            && filter.after().filter(id -> BY_ID.compare(process.id(), id) <= 0).isEmpty();
  }

  @Override
  public Map<String, Long> counts() {
    synchronized (database) {
      return rows.values().stream()
          .collect(
              Collectors.groupingBy(process -> process.summary().status(), Collectors.counting()));
    }
  }

  @Override
  public Map<String, Long> activeByDefinition(String type) {
    synchronized (database) {
      return rows.values().stream()
          .filter(process -> process.isActive() && process.type().equals(type))
          .collect(Collectors.groupingBy(StoredProcess::definition, Collectors.counting()));
    }
  }

  /** Returns whether a process runs or ran on this definition. */
  boolean has(String type, String definition) {
    return rows.values().stream()
        .anyMatch(
            process -> process.type().equals(type) && process.definition().equals(definition));
  }

  @Override
  public List<ProcessLogEntry> log(UUID processId, long afterSeq, int limit) {
    ProcessStore.checkLimit(limit);
    synchronized (database) {
      return logOf(processId).tailMap(afterSeq, false).values().stream().limit(limit).toList();
    }
  }

  private NavigableMap<Long, ProcessLogEntry> logOf(UUID processId) {
    return logs.getOrDefault(processId, new TreeMap<>());
  }

  int purge(Instant before, int limit) {
    synchronized (database) {
      List<UUID> old =
          rows.values().stream()
              .filter(process -> !process.isActive() && process.updatedAt().isBefore(before))
              .filter(process -> isFree(process.id()))
              .sorted(Comparator.comparing(StoredProcess::updatedAt))
              .limit(limit)
              .map(StoredProcess::id)
              .toList();
      old.forEach(rows::remove);
      old.forEach(logs::remove);
      return old.size();
    }
  }

  private static boolean isDue(StoredProcess process, Instant now) {
    return process.dueAt().filter(time -> !time.isAfter(now)).isPresent();
  }

  private boolean isFree(UUID id) {
    return !database.locks.isTaken(lockName(id));
  }

  private static String lockName(UUID id) {
    return "process " + id;
  }

  private static Instant roundedUp(Instant exact) {
    Instant floor = exact.truncatedTo(ChronoUnit.MICROS);
    return floor.equals(exact) ? floor : floor.plus(1, ChronoUnit.MICROS);
  }

  @Override
  public Instant nearlyNow(InMemoryTransaction transaction) {
    return database.now();
  }

  /** Returns the process after a save, which does not change its identity. */
  private static StoredProcess saved(StoredProcess before, StoredProcess after) {
    return new StoredProcess(
        before.identity(),
        after.summary(),
        after.data(),
        after.snapshot(),
        after.dueAt(),
        after.lastSeq(),
        after.updatedAt());
  }
}
