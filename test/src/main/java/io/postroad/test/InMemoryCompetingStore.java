package io.postroad.test;

import io.postroad.spi.Claim;
import io.postroad.spi.ClaimRequest;
import io.postroad.spi.CompetingStore;
import io.postroad.spi.Settlement;
import io.postroad.store.BlockedDestination;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;

/**
 * A competing outbox store in memory, for tests. It has the transactions, leases, tokens and
 * deduplication windows of the real stores and passes the same contracts; its clock is the one it
 * is given.
 *
 * <p>Safe to use from many threads. A transaction that uses a deduplication key makes others that
 * use the same key wait until it has ended, as a unique index does. Limits: nothing survives the
 * JVM, there is no schema, and rows of the user's own are not in its transactions.
 */
public final class InMemoryCompetingStore extends InMemoryStore
    implements CompetingStore<InMemoryTransaction> {
  private final CompetingDatabase database;

  /** An empty store on the system's clock. */
  public InMemoryCompetingStore() {
    this(InstantSource.system());
  }

  /** An empty store on this clock, for example a {@link ManualClock}. */
  public InMemoryCompetingStore(InstantSource clock) {
    this(new CompetingDatabase(clock), InMemoryWakeUps.first());
  }

  private InMemoryCompetingStore(CompetingDatabase database, InMemoryWakeUps wakeUps) {
    super(database, wakeUps);
    this.database = database;
  }

  @Override
  public InMemoryCompetingStore anotherNode() {
    return new InMemoryCompetingStore(database, wakeUpsElsewhere());
  }

  @Override
  public String name() {
    return "in-memory";
  }

  @Override
  public List<Claim> claim(ClaimRequest request) {
    return database.claim(request);
  }

  @Override
  public Set<UUID> extend(Collection<Claim> claims, Duration leaseFor) {
    return database.extend(claims, leaseFor);
  }

  @Override
  public boolean extend(InMemoryTransaction transaction, Claim claim, Duration leaseFor) {
    return database.extend(transaction, claim, leaseFor);
  }

  @Override
  public Set<UUID> settle(List<Settlement> settlements) {
    return database.settle(settlements);
  }

  @Override
  public boolean settle(InMemoryTransaction transaction, Settlement settlement) {
    return database.settle(transaction, settlement);
  }

  @Override
  public Set<String> blockedDestinations() {
    return database.blocked().stream()
        .map(BlockedDestination::destination)
        .collect(Collectors.toSet());
  }

  @Override
  public int open(String destination, int limit) {
    BlockedDestination.checkLimit(limit);
    return database.open(destination, limit);
  }
}
