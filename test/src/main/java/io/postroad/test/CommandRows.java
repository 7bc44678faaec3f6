package io.postroad.test;

import io.postroad.spi.CommandClaim;
import io.postroad.spi.CommandEnds.Opening;
import io.postroad.spi.CommandOutcome;
import io.postroad.spi.CommandQueue.Acceptance;
import io.postroad.spi.NewCommand;
import io.postroad.spi.StoredCommand;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.WeakHashMap;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** All commands, guarded by the lock of the database. An open transaction locks its rows. */
final class CommandRows {
  private final Database database;
  private final Map<UUID, CommandRow> rows = new LinkedHashMap<>();
  private final Map<String, CommandRow> byKey = new HashMap<>();
  private final Map<InMemoryTransaction, Map<String, CommandRow>> accepted = new WeakHashMap<>();

  CommandRows(Database database) {
    this.database = database;
  }

  Acceptance accept(InMemoryTransaction transaction, NewCommand command) {
    return accept(transaction, command, row -> Optional.empty());
  }

  Acceptance acceptTaken(
      InMemoryTransaction transaction, NewCommand command, String owner, Duration leaseFor) {
    return accept(
        transaction, command, row -> Optional.of(row.claim(owner, database.now(), leaseFor)));
  }

  private Acceptance accept(
      InMemoryTransaction transaction,
      NewCommand command,
      Function<CommandRow, Optional<CommandClaim>> take) {
    synchronized (database) {
      transaction.requireOpenIn(database);
      String key = command.idempotencyKey();
      database.locks.take(transaction, "command key " + key);
      Map<String, CommandRow> own = accepted.computeIfAbsent(transaction, any -> new HashMap<>());
      @Nullable CommandRow known = byKey.getOrDefault(key, own.get(key));
      if (known != null) {
        return new Acceptance(false, known.stored());
      }
      CommandRow row = new CommandRow(command, database.now());
      Optional<CommandClaim> claim = take.apply(row);
      own.put(key, row);
      transaction.atCommit(
          () -> {
            rows.put(row.id(), row);
            byKey.put(key, row);
          });
      return new Acceptance(true, row.stored(), claim);
    }
  }

  List<CommandClaim> claim(String owner, Set<String> types, int limit, Duration leaseFor) {
    synchronized (database) {
      Instant now = database.now();
      List<CommandRow> due =
          rows.values().stream()
              .filter(row -> types.contains(row.command.type()) && row.isDue(now) && isFree(row))
              .sorted(Comparator.comparing(row -> row.due().orElse(now)))
              .limit(limit)
              .toList();
      return due.stream().map(row -> row.claim(owner, now, leaseFor)).toList();
    }
  }

  Opening open(InMemoryTransaction transaction, CommandClaim claim) {
    synchronized (database) {
      @Nullable CommandRow row = lock(transaction, claim.id());
      if (row == null || !row.holds(claim) || transaction.hasSettled(claim.id())) {
        return Opening.LOST;
      }
      return row.isLate(database.now()) ? Opening.LATE : Opening.HELD;
    }
  }

  boolean finish(InMemoryTransaction transaction, CommandClaim claim, CommandOutcome outcome) {
    synchronized (database) {
      @Nullable CommandRow row = lock(transaction, claim.id());
      if (row == null || !row.holds(claim) || transaction.hasSettled(claim.id())) {
        return false;
      }
      end(transaction, row, outcome);
      return true;
    }
  }

  boolean retry(CommandClaim claim, Duration delay, String error) {
    synchronized (database) {
      @Nullable CommandRow row = rows.get(claim.id());
      if (row == null || !row.holds(claim) || !isFree(row)) {
        return false;
      }
      row.retry(database.now().plus(delay), error);
      return true;
    }
  }

  boolean handOver(CommandClaim claim, Duration pause, String why) {
    synchronized (database) {
      @Nullable CommandRow row = rows.get(claim.id());
      if (row == null || !row.holds(claim) || !isFree(row)) {
        return false;
      }
      row.handOver(database.now().plus(pause), why);
      return true;
    }
  }

  Set<UUID> release(Collection<CommandClaim> claims) {
    synchronized (database) {
      Set<UUID> released = new HashSet<>();
      for (CommandClaim claim : claims) {
        @Nullable CommandRow row = rows.get(claim.id());
        if (row != null && row.holds(claim) && isFree(row)) {
          row.release(database.now());
          released.add(claim.id());
        }
      }
      return released;
    }
  }

  Optional<StoredCommand> cancel(InMemoryTransaction transaction, UUID id, CommandOutcome outcome) {
    synchronized (database) {
      @Nullable CommandRow row = lock(transaction, id);
      return row != null && row.isFree(database.now()) && !transaction.hasSettled(id)
          ? Optional.of(end(transaction, row, outcome))
          : Optional.empty();
    }
  }

  /** Ends a command like {@link #cancel}, unless another transaction has locked it. */
  Optional<StoredCommand> recall(InMemoryTransaction transaction, UUID id, CommandOutcome outcome) {
    synchronized (database) {
      transaction.requireOpenIn(database);
      return database.locks.isTakenByAnother(transaction, lockName(id))
          ? Optional.empty()
          : cancel(transaction, id, outcome);
    }
  }

  List<StoredCommand> expire(
      InMemoryTransaction transaction, CommandOutcome outcome, int limit, Collection<UUID> except) {
    synchronized (database) {
      transaction.requireOpenIn(database);
      Instant now = database.now();
      List<CommandRow> late =
          rows.values().stream()
              .filter(row -> row.isLate(now) && row.isFree(now) && !row.wasToldLate())
              .filter(row -> isFree(row) && !except.contains(row.id()))
              .limit(limit)
              .toList();
      List<StoredCommand> expired = new ArrayList<>();
      for (CommandRow row : late) {
        database.locks.take(transaction, lockName(row.id()));
        if (row.command.lateAllowed()) {
          transaction.settles(row.id());
          transaction.atCommit(row::tellLate);
          expired.add(row.stored());
        } else {
          expired.add(end(transaction, row, outcome));
        }
      }
      return expired;
    }
  }

  Optional<StoredCommand> reply(InMemoryTransaction transaction, UUID id, CommandOutcome outcome) {
    synchronized (database) {
      @Nullable CommandRow row = lock(transaction, id);
      boolean waits =
          row != null
              && row.command.destination().isPresent()
              && row.isUnfinished()
              && !transaction.hasSettled(id);
      return row != null && waits ? Optional.of(end(transaction, row, outcome)) : Optional.empty();
    }
  }

  Optional<StoredCommand> replyNow(
      InMemoryTransaction transaction, UUID id, CommandOutcome outcome) {
    synchronized (database) {
      transaction.requireOpenIn(database);
      return database.locks.isTakenByAnother(transaction, lockName(id))
          ? Optional.empty()
          : reply(transaction, id, outcome);
    }
  }

  boolean arrived(InMemoryTransaction transaction, UUID id) {
    synchronized (database) {
      @Nullable CommandRow row = lock(transaction, id);
      if (row == null || !row.isElsewhere() || transaction.hasSettled(id)) {
        return false;
      }
      transaction.settles(id);
      transaction.atCommit(() -> row.arrive(database.now()));
      return true;
    }
  }

  private StoredCommand end(
      InMemoryTransaction transaction, CommandRow row, CommandOutcome outcome) {
    Instant now = database.now();
    transaction.settles(row.id());
    transaction.atCommit(() -> row.finish(outcome, now));
    return row.ended(outcome, now);
  }

  Optional<StoredCommand> find(UUID id) {
    synchronized (database) {
      return Optional.ofNullable(rows.get(id)).map(CommandRow::stored);
    }
  }

  /** Finds commands that the transaction itself has accepted, too; other changes show later. */
  Optional<StoredCommand> find(InMemoryTransaction transaction, UUID id) {
    synchronized (database) {
      transaction.requireOpenIn(database);
      Map<String, CommandRow> own = accepted.getOrDefault(transaction, Map.of());
      return Stream.concat(Stream.ofNullable(rows.get(id)), own.values().stream())
          .filter(row -> row.id().equals(id))
          .findFirst()
          .map(CommandRow::stored);
    }
  }

  Optional<StoredCommand> findByKey(String idempotencyKey) {
    synchronized (database) {
      return Optional.ofNullable(byKey.get(idempotencyKey)).map(CommandRow::stored);
    }
  }

  List<StoredCommand> finished(Collection<UUID> ids) {
    synchronized (database) {
      return ids.stream()
          .flatMap(id -> Stream.ofNullable(rows.get(id)))
          .filter(row -> !row.isUnfinished())
          .map(CommandRow::stored)
          .toList();
    }
  }

  int purge(Instant before, int limit) {
    synchronized (database) {
      List<CommandRow> old =
          rows.values().stream().filter(row -> row.endedBefore(before)).limit(limit).toList();
      for (CommandRow row : old) {
        rows.remove(row.id());
        byKey.remove(row.command.idempotencyKey());
      }
      return old.size();
    }
  }

  /** Locks a row until the transaction ends, and returns it. */
  private @Nullable CommandRow lock(InMemoryTransaction transaction, UUID id) {
    transaction.requireOpenIn(database);
    database.locks.take(transaction, lockName(id));
    return rows.get(id);
  }

  private boolean isFree(CommandRow row) {
    return !database.locks.isTaken(lockName(row.id()));
  }

  private static String lockName(UUID id) {
    return "command " + id;
  }
}
