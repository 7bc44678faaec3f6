package io.postroad.internal.inbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class KeyedRunnerTest {

  @Test
  void tasksOfAKeyRunInOrderAndOneAtATime() throws Exception {
    List<Integer> ran = new CopyOnWriteArrayList<>();
    List<Integer> expected = new ArrayList<>();
    CountDownLatch done = new CountDownLatch(1);
    try (KeyedRunner runner = new KeyedRunner("test", 8)) {
      for (int i = 0; i < 1_000; i++) {
        int number = i;
        expected.add(i);
        runner.run("key", () -> ran.add(number));
        runner.run("other-" + i % 7, () -> {});
      }
      runner.run("key", done::countDown);
      assertThat(done.await(30, TimeUnit.SECONDS)).isTrue();
    }
    assertThat(ran).isEqualTo(expected);
  }

  @Test
  void differentKeysRunSideBySide() throws Exception {
    CyclicBarrier bothRun = new CyclicBarrier(3);
    try (KeyedRunner runner = new KeyedRunner("test", 2)) {
      runner.run("a", () -> await(bothRun));
      runner.run("b", () -> await(bothRun));
      int unused = bothRun.await(30, TimeUnit.SECONDS);
    }
  }

  @Test
  void theNextTaskRunsAfterATaskThatThrowsOrIsInterrupted() throws Exception {
    CountDownLatch done = new CountDownLatch(1);
    List<Boolean> interrupted = new CopyOnWriteArrayList<>();
    try (KeyedRunner runner = new KeyedRunner("test", 1)) {
      runner.run(
          "a",
          () -> {
            throw new IllegalStateException("on purpose");
          });
      runner.run("a", () -> Thread.currentThread().interrupt());
      runner.run("a", () -> interrupted.add(Thread.currentThread().isInterrupted()));
      runner.run("a", done::countDown);
      assertThat(done.await(30, TimeUnit.SECONDS)).isTrue();
    }
    assertThat(interrupted).containsExactly(false);
  }

  @Test
  void aClosedRunnerRefusesTasks() {
    KeyedRunner runner = new KeyedRunner("test", 1);
    runner.close();

    for (int i = 0; i < 2; i++) {
      assertThatExceptionOfType(RejectedExecutionException.class)
          .isThrownBy(() -> runner.run("a", () -> {}));
    }
  }

  @Test
  void zeroThreadsAreRefused() {
    assertThatIllegalArgumentException().isThrownBy(() -> new KeyedRunner("test", 0));
  }

  private static void await(CyclicBarrier barrier) {
    try {
      int unused = barrier.await(30, TimeUnit.SECONDS);
    } catch (Exception failed) {
      throw new IllegalStateException(failed);
    }
  }
}
