package io.postroad.tck.sample;

import io.postroad.message.Message;
import io.postroad.message.PostroadException;
import io.postroad.spi.Claim;
import io.postroad.spi.ClaimRequest;
import io.postroad.spi.CompetingStore;
import io.postroad.spi.DeadLetterStore;
import io.postroad.spi.PauseStore;
import io.postroad.spi.Settlement;
import io.postroad.spi.WakeUps;
import io.postroad.store.AppendResult;
import io.postroad.store.Backlog;
import io.postroad.store.BlockedDestination;
import io.postroad.store.Finding;
import io.postroad.store.MessageStatus;
import io.postroad.store.PurgeResult;
import io.postroad.store.StoredMessage;
import io.postroad.transaction.NoTransactionException;
import io.postroad.transaction.Transactions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;

/** A competing store over a map. Two nodes share one {@link Data}, whose lock they take. */
final class MapStore implements CompetingStore<MapStore.Transaction> {
  private final Data data;

  MapStore(Data data) {
    this.data = data;
  }

  /** The database: rows by id in the order of their commits, and a clock that a test moves. */
  static final class Data {
    private final Map<UUID, Row> rows = new LinkedHashMap<>();
    private Instant now = Instant.parse("2026-01-01T00:00:00Z");

    synchronized void advance(Duration by) {
      now = now.plus(by);
    }
  }

  /** A transaction: messages that its commit makes visible. */
  static final class Transaction {
    private final Data data;
    private final Map<UUID, Row> staged = new LinkedHashMap<>();
    private boolean isOpen = true;

    Transaction(Data data) {
      this.data = data;
    }

    void commit() {
      synchronized (data) {
        data.rows.putAll(staged);
        isOpen = false;
      }
    }

    void rollback() {
      isOpen = false;
    }
  }

  /** A message and its state. */
  private record Row(
      Message message,
      MessageStatus status,
      int attempts,
      long token,
      Instant appendedAt,
      Instant dueAt,
      Optional<String> owner,
      Optional<String> error) {

    boolean isDue(Instant now) {
      return (status == MessageStatus.PENDING || status == MessageStatus.PROCESSING)
          && !dueAt.isAfter(now);
    }

    Row claimed(ClaimRequest request, Instant now) {
      Instant until = now.plus(request.leaseFor());
      Optional<String> owner = Optional.of(request.owner());
      return new Row(
          message,
          MessageStatus.PROCESSING,
          attempts + 1,
          token + 1,
          appendedAt,
          until,
          owner,
          error);
    }

    Row leasedUntil(Instant until) {
      return new Row(message, status, attempts, token, appendedAt, until, owner, error);
    }

    Row settled(Settlement settlement, Instant now) {
      int counted = settlement.countsAsAttempt() ? attempts : attempts - 1;
      Instant due =
          settlement instanceof Settlement.Blocked
              ? BlockedDestination.DUE_AT
              : now.plus(settlement.delay());
      return new Row(
          message,
          settlement.status(),
          counted,
          token,
          appendedAt,
          due,
          Optional.empty(),
          settlement.lastError().or(() -> error));
    }

    StoredMessage stored(Instant now) {
      boolean expired = status == MessageStatus.PROCESSING && isDue(now);
      return new StoredMessage(
          message,
          expired ? MessageStatus.PENDING : status,
          attempts,
          appendedAt,
          dueAt,
          owner,
          error);
    }
  }

  @Override
  public String name() {
    return "map";
  }

  @Override
  public Instant now() {
    synchronized (data) {
      return data.now;
    }
  }

  @Override
  public List<AppendResult> append(
      Transaction transaction, List<Message> messages, Duration deduplicateFor) {
    synchronized (data) {
      if (!transaction.isOpen) {
        throw new NoTransactionException("append needs an open transaction; nothing was written");
      }
      List<AppendResult> results = new ArrayList<>();
      for (Message message : messages) {
        Instant due = message.notBefore().filter(data.now::isBefore).orElse(data.now);
        Row row =
            new Row(
                message,
                MessageStatus.PENDING,
                0,
                0,
                data.now,
                due,
                Optional.empty(),
                Optional.empty());
        if (data.rows.containsKey(message.id())
            || transaction.staged.putIfAbsent(message.id(), row) != null) {
          throw new PostroadException("message " + message.id() + " is stored already");
        }
        results.add(new AppendResult.Appended(message.id()));
      }
      return results;
    }
  }

  @Override
  public List<Claim> claim(ClaimRequest request) {
    synchronized (data) {
      List<Row> due =
          data.rows.values().stream()
              .filter(row -> row.isDue(data.now))
              .sorted(Comparator.comparing(Row::dueAt))
              .limit(request.limit())
              .toList();
      List<Claim> claims = new ArrayList<>();
      for (Row row : due) {
        Row claimed = row.claimed(request, data.now);
        data.rows.put(row.message().id(), claimed);
        claims.add(
            new Claim(
                row.message(), claimed.token(), claimed.attempts(), row.appendedAt(), row.owner()));
      }
      return claims;
    }
  }

  /** Returns the row of a claim that is its latest and was not settled yet. */
  private Optional<Row> held(Claim claim) {
    return Optional.ofNullable(data.rows.get(claim.id()))
        .filter(row -> row.status() == MessageStatus.PROCESSING && row.token() == claim.token());
  }

  @Override
  public Set<UUID> extend(Collection<Claim> claims, Duration leaseFor) {
    synchronized (data) {
      Set<UUID> extended = new HashSet<>();
      for (Claim claim : claims) {
        held(claim)
            .ifPresent(
                row -> {
                  data.rows.put(claim.id(), row.leasedUntil(data.now.plus(leaseFor)));
                  extended.add(claim.id());
                });
      }
      return extended;
    }
  }

  @Override
  public Set<UUID> settle(List<Settlement> settlements) {
    synchronized (data) {
      Set<UUID> rejected = new HashSet<>();
      for (Settlement settlement : settlements) {
        UUID id = settlement.claim().id();
        held(settlement.claim())
            .ifPresentOrElse(
                row -> data.rows.put(id, row.settled(settlement, data.now)),
                () -> rejected.add(id));
      }
      return rejected;
    }
  }

  @Override
  public Optional<StoredMessage> find(UUID id) {
    synchronized (data) {
      return Optional.ofNullable(data.rows.get(id)).map(row -> row.stored(data.now));
    }
  }

  @Override
  public Backlog backlog() {
    synchronized (data) {
      Stream<Row> pending =
          data.rows.values().stream()
              .filter(row -> row.status() != MessageStatus.DISPATCHED)
              .filter(row -> row.status() != MessageStatus.FAILED);
      return new Backlog(pending.count(), 0, Duration.ZERO);
    }
  }

  @Override
  public PurgeResult purge(Duration olderThan, int limit) {
    synchronized (data) {
      Instant before = data.now.minus(olderThan);
      List<Row> old =
          data.rows.values().stream()
              .filter(row -> row.status() == MessageStatus.DISPATCHED)
              .filter(row -> !row.dueAt().isAfter(before))
              .limit(limit)
              .toList();
      old.forEach(row -> data.rows.remove(row.message().id()));
      return PurgeResult.removed(old.size(), old.size() == limit);
    }
  }

  // The verbs below come with the next contracts.

  @Override
  public Transactions<Transaction> transactions() {
    throw later();
  }

  @Override
  public WakeUps wakeUps() {
    throw later();
  }

  @Override
  public boolean extend(Transaction transaction, Claim claim, Duration leaseFor) {
    throw later();
  }

  @Override
  public boolean settle(Transaction transaction, Settlement settlement) {
    throw later();
  }

  @Override
  public Set<String> blockedDestinations() {
    throw later();
  }

  @Override
  public int open(String destination, int limit) {
    throw later();
  }

  @Override
  public List<BlockedDestination> blocked() {
    throw later();
  }

  @Override
  public DeadLetterStore deadLetters() {
    throw later();
  }

  @Override
  public PauseStore pauses() {
    throw later();
  }

  @Override
  public List<Finding> examine() {
    throw later();
  }

  @Override
  public void close() {}

  private static UnsupportedOperationException later() {
    return new UnsupportedOperationException("the sample store does not have this verb yet");
  }
}
