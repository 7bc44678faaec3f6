package io.postroad.tck;

import io.postroad.message.Message;
import io.postroad.store.AppendResult;
import io.postroad.store.CompetingStore;
import java.util.List;

/** A transaction that a test opened the way a user does; not thread-safe. */
public final class UserTransaction {
  private final StoreFixture<Object> fixture;
  private final CompetingStore<Object> store;
  private final Object handle;
  private boolean open = true;

  UserTransaction(StoreFixture<Object> fixture, CompetingStore<Object> store, Object handle) {
    this.fixture = fixture;
    this.store = store;
    this.handle = handle;
  }

  /** Appends through the store that this transaction was begun for. */
  public List<AppendResult> append(Message... messages) {
    return store.append(handle, List.of(messages), StoreUnderTest.DEDUPLICATE_FOR);
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
