package io.postroad.mongodb.internal.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.postroad.mongodb.CommandHook;
import io.postroad.mongodb.OrderedDatabase;
import io.postroad.mongodb.internal.client.MongoErrors;
import io.postroad.mongodb.internal.client.Names;
import io.postroad.mongodb.internal.client.PrimaryTerm;
import io.postroad.mongodb.internal.log.SequenceNumbers.Drawn;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.FutureTask;
import org.bson.BsonValue;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Those who want places of one lane at once, and one of them fails. */
@Timeout(60)
final class SequenceNumbersTest {
  private static final CommandHook HOOK = new CommandHook();
  private static final OrderedDatabase DATABASE = OrderedDatabase.fresh("sequences", HOOK);
  private static final BsonValue COUNTER = SequenceNumbers.counter(0);

  @BeforeEach
  void empty() {
    DATABASE.reset(1);
  }

  @AfterAll
  static void drop() {
    DATABASE.close();
  }

  @Test
  void anErrorWhileACounterIsRaisedIsThrownAndEndsItsTurn() {
    SequenceNumbers sequences = new SequenceNumbers(DATABASE.database());
    HOOK.before("findAndModify", Names.COUNTER, SequenceNumbersTest::overflow);

    assertThatThrownBy(() -> draw(sequences))
        .isInstanceOf(StackOverflowError.class)
        .hasMessage("of a listener");

    assertThat(draw(sequences).first()).isEqualTo(1);
  }

  /** Who shared the turn is told what lets a transaction run again. */
  @Test
  void whoWaitedForAnothersErrorMayRunAgain() throws Exception {
    SequenceNumbers sequences = new SequenceNumbers(DATABASE.database());
    PrimaryTerm term = PrimaryTerm.current(DATABASE.client());
    List<FutureTask<Drawn>> tasks = new ArrayList<>();
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      FutureTask<Drawn> task = new FutureTask<>(() -> sequences.draw(COUNTER, 1, term));
      tasks.add(task);
      threads.add(new Thread(task));
    }
    HOOK.before(
        "findAndModify",
        Names.COUNTER,
        () -> {
          HOOK.before("findAndModify", Names.COUNTER, SequenceNumbersTest::overflow);
          // These two come while the counter is being raised, so they share the next turn.
          startAndAwaitWaiting(threads.get(1));
          startAndAwaitWaiting(threads.get(2));
        });

    threads.get(0).start();

    assertThat(tasks.get(0).get().first()).isEqualTo(1);
    assertThat(List.of(catchThrowable(tasks.get(1)::get), catchThrowable(tasks.get(2)::get)))
        .satisfiesExactlyInAnyOrder(
            own -> assertThat(own).hasCauseInstanceOf(StackOverflowError.class),
            others -> assertThat(others).matches(MongoErrors::isTransient));
    assertThat(draw(sequences).first()).isEqualTo(2);
  }

  private static void startAndAwaitWaiting(Thread thread) {
    thread.start();
    while (thread.getState() != Thread.State.WAITING) {
      Thread.onSpinWait();
    }
  }

  private static void overflow() {
    throw new StackOverflowError("of a listener");
  }

  private static Drawn draw(SequenceNumbers sequences) {
    return sequences.draw(COUNTER, 1, PrimaryTerm.current(DATABASE.client()));
  }
}
