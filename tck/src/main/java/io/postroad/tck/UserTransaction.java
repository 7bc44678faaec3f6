package io.postroad.tck;

import io.postroad.message.Message;
import io.postroad.spi.OrderedStore;
import io.postroad.spi.OutboxStore;
import io.postroad.store.AppendResult;
import io.postroad.store.OrderKey;
import java.util.List;
import java.util.Set;

/** A transaction that a test opened the way a user does; not thread-safe. */
public final class UserTransaction {
  private final StoreFixture<Object> fixture;
  private final OutboxStore<Object> store;
  private final Object handle;
  private boolean open = true;

  UserTransaction(StoreFixture<Object> fixture, OutboxStore<Object> store, Object handle) {
    this.fixture = fixture;
    this.store = store;
    this.handle = handle;
  }

  /** Returns the transaction as the store knows it. */
  public Object handle() {
    return handle;
  }

  /** Appends through the store that this transaction was begun for. */
  public List<AppendResult> append(Message... messages) {
    return store.append(handle, List.of(messages), StoreUnderTest.DEDUPLICATE_FOR);
  }

  /** Makes others that lock one of these keys wait until this transaction has ended. */
  public void lockKeys(Set<OrderKey> keys) {
    ((OrderedStore<Object>) store).lockKeys(handle, keys);
  }

  public void commit() throws Exception {
    open = false;
    fixture.commit(handle);
  }

  public void rollback() throws Exception {
    open = false;
    fixture.rollback(handle);
  }

  /** Rolls back what a test left open. */
  void endIfOpen() throws Exception {
    if (open) {
      rollback();
    }
  }
}
