package io.postroad.spring;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.TransactionStatus;
import org.springframework.transaction.support.SimpleTransactionStatus;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Begins a transaction of each manager in turn and ends them the other way round, as Spring Data's
 * deprecated {@code ChainedTransactionManager} does, its synchronization included.
 */
final class ChainOfManagers implements PlatformTransactionManager {
  private final List<PlatformTransactionManager> managers;

  ChainOfManagers(List<PlatformTransactionManager> managers) {
    this.managers = managers;
  }

  @Override
  public TransactionStatus getTransaction(@Nullable TransactionDefinition definition) {
    boolean began = !TransactionSynchronizationManager.isSynchronizationActive();
    if (began) {
      TransactionSynchronizationManager.initSynchronization();
    }
    Chained chained = new Chained(began);
    for (PlatformTransactionManager manager : managers) {
      chained.links.add(new Link(manager, manager.getTransaction(definition)));
    }
    return chained;
  }

  @Override
  public void commit(TransactionStatus status) {
    Chained chained = (Chained) status;
    if (chained.isRollbackOnly()) {
      rollback(status);
      return;
    }
    try {
      for (int at = chained.links.size() - 1; at >= 0; at--) {
        Link link = chained.links.get(at);
        link.manager().commit(link.status());
      }
    } finally {
      clear(chained);
    }
  }

  @Override
  public void rollback(TransactionStatus status) {
    Chained chained = (Chained) status;
    try {
      for (int at = chained.links.size() - 1; at >= 0; at--) {
        Link link = chained.links.get(at);
        link.manager().rollback(link.status());
      }
    } finally {
      clear(chained);
    }
  }

  private static void clear(Chained chained) {
    if (chained.began) {
      TransactionSynchronizationManager.clear();
    }
  }

  private record Link(PlatformTransactionManager manager, TransactionStatus status) {}

  private static final class Chained extends SimpleTransactionStatus {
    private final boolean began;
    private final List<Link> links = new ArrayList<>();

    private Chained(boolean began) {
      this.began = began;
    }

    @Override
    public void flush() {
      links.forEach(link -> link.status().flush());
    }
  }
}
