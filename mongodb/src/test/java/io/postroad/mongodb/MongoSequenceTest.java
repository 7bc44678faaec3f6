package io.postroad.mongodb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.client.MongoDatabase;
import io.postroad.message.PostroadException;
import io.postroad.mongodb.internal.client.TestDatabase;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Numbers that are given out once. */
class MongoSequenceTest {
  private final TestDatabase database = TestDatabase.empty("sequence");
  private final MongoDatabase own = database.client().getDatabase(database.options().database());
  private final MongoSequence rules =
      new MongoSequence(own, "recurring_rule_ids", "recurring_rule");

  @AfterEach
  void close() {
    database.close();
  }

  @Test
  void theFirstNumberComesAfterTheOneItWasCreatedWith() {
    rules.createAfter(10_000_000);

    assertThat(rules.next()).isEqualTo(10_000_001);
    assertThat(rules.next()).isEqualTo(10_000_002);
  }

  @Test
  void creatingItAgainChangesNothing() {
    rules.createAfter(10_000_000);
    rules.next();
    rules.createAfter(10_000_000);

    assertThat(rules.next()).isEqualTo(10_000_002);
  }

  @Test
  void sequencesOfOneCollectionCountByThemselves() {
    MongoSequence changes = new MongoSequence(own, "recurring_rule_ids", "amount_change");
    rules.createAfter(10_000_000);
    changes.createAfter(0);

    assertThat(changes.next()).isEqualTo(1);
    assertThat(rules.next()).isEqualTo(10_000_001);
  }

  @Test
  void aSequenceThatWasNotCreatedIsRefused() {
    assertThatThrownBy(rules::next)
        .isInstanceOf(PostroadException.class)
        .hasMessageContaining("'recurring_rule'")
        .hasMessageContaining("createAfter");
    assertThat(own.getCollection("recurring_rule_ids").countDocuments()).isZero();
  }

  @Test
  void manyThreadsGetEveryNumberOnce() throws Exception {
    rules.createAfter(0);
    ExecutorService threads = Executors.newFixedThreadPool(8);
    try {
      List<Callable<List<Long>>> takers = new ArrayList<>();
      for (int i = 0; i < 8; i++) {
        takers.add(() -> LongStream.range(0, 50).mapToObj(n -> rules.next()).toList());
      }
      List<Long> taken = new ArrayList<>();
      for (Future<List<Long>> each : threads.invokeAll(takers)) {
        taken.addAll(each.get());
      }
      assertThat(taken)
          .containsExactlyInAnyOrderElementsOf(LongStream.rangeClosed(1, 400).boxed().toList());
    } finally {
      threads.shutdownNow();
    }
  }
}
