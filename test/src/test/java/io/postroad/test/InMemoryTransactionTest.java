package io.postroad.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.postroad.message.Message;
import io.postroad.message.PostroadException;
import io.postroad.store.AppendResult;
import io.postroad.transaction.NoTransactionException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class InMemoryTransactionTest {
  private final InMemoryCompetingStore store = new InMemoryCompetingStore();

  @Test
  void closeRollsBackUnlessCommitted() {
    Message dropped = withKey("dropped");
    Message kept = withKey("kept");
    try (InMemoryTransaction transaction = store.begin()) {
      append(transaction, dropped);
    }
    try (InMemoryTransaction transaction = store.begin()) {
      append(transaction, kept);
      transaction.commit();
    }

    assertThat(store.find(dropped.id())).isEmpty();
    assertThat(store.find(kept.id())).isPresent();
  }

  @Test
  void anEndedTransactionCannotBeEndedAgain() {
    InMemoryTransaction transaction = store.begin();
    transaction.commit();

    assertThatThrownBy(transaction::commit).isInstanceOf(NoTransactionException.class);
    assertThatThrownBy(transaction::rollback).isInstanceOf(NoTransactionException.class);
  }

  @Test
  void aTransactionOfAnotherStoreIsRefused() {
    InMemoryTransaction elsewhere = new InMemoryCompetingStore().begin();

    assertThatThrownBy(() -> append(elsewhere, withKey("k")))
        .isInstanceOf(NoTransactionException.class)
        .hasMessageContaining("another store");
  }

  @Test
  void afterARefusedAppendNothingCanBeCommitted() {
    Message stored = withKey("stored");
    Message next = withKey("next");
    InMemoryTransaction first = store.begin();
    append(first, stored);
    first.commit();
    Message sameId = Message.event("Other").id(stored.id()).to("orders").json("{}").build();

    InMemoryTransaction transaction = store.begin();
    append(transaction, next);
    assertThatThrownBy(() -> append(transaction, sameId)).isInstanceOf(PostroadException.class);

    assertThatThrownBy(() -> append(transaction, withKey("more")))
        .isInstanceOf(PostroadException.class)
        .hasMessageContaining("roll it back");
    assertThatThrownBy(transaction::commit)
        .isInstanceOf(PostroadException.class)
        .hasMessageContaining("rolled back");
    assertThat(store.find(next.id())).isEmpty();
  }

  /** Whoever closes the circle fails; the other goes on when it has rolled back. */
  @Test
  void transactionsThatWaitForEachOtherAreFoundOut() throws Exception {
    InMemoryTransaction one = store.begin();
    InMemoryTransaction two = store.begin();
    append(one, withKey("a"));
    append(two, withKey("b"));
    CompletableFuture<Boolean> first = appendElsewhere(one, "b");
    CompletableFuture<Boolean> second = appendElsewhere(two, "a");

    boolean firstWent = first.get(50, TimeUnit.SECONDS);
    boolean secondWent = second.get(50, TimeUnit.SECONDS);
    assertThat(firstWent).isNotEqualTo(secondWent);
    assertThat(store.backlog().pending()).isEqualTo(2);
  }

  /** True when it was appended and committed, false when it was refused and rolled back. */
  private CompletableFuture<Boolean> appendElsewhere(InMemoryTransaction transaction, String key) {
    return CompletableFuture.supplyAsync(
        () -> {
          try {
            append(transaction, withKey(key));
            transaction.commit();
            return true;
          } catch (PostroadException deadlock) {
            transaction.rollback();
            return false;
          }
        },
        task -> new Thread(task).start());
  }

  private List<AppendResult> append(InMemoryTransaction transaction, Message message) {
    return store.append(transaction, List.of(message), Duration.ofDays(7));
  }

  private static Message withKey(String key) {
    return Message.event("OrderPlaced").to("orders").json("{}").deduplicationKey(key).build();
  }
}
