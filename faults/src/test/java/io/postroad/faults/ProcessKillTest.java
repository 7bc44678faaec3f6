package io.postroad.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.postroad.process.BaseProcessManager;
import io.postroad.process.ProcessStatus;
import io.postroad.schema.SchemaMode;
import io.postroad.spi.process.ProcessFilter;
import io.postroad.spi.process.StoredProcess;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Nodes are killed at random moments while processes run, some of which fail late: every process
 * ends in one status, every step and every undo has its effect once. {@code -Dpostroad.processes}
 * is another number of them.
 */
class ProcessKillTest {
  private static final int PROCESSES = Integer.getInteger("postroad.processes", Length.of(40, 160));
  private static final int KILLS = Math.max(Length.of(1, 4), PROCESSES / 100);
  private static final int FAILING = 20;
  private static final long WITHIN_A_STEP_NANOS = Duration.ofMillis(20).toNanos();
  private static final Duration PATIENCE = Duration.ofMinutes(4);
  private static final Set<String> ACTIVE =
      Set.of(ProcessStatus.RUNNING.name(), ProcessStatus.COMPENSATING.name());

  @ParameterizedTest
  @EnumSource
  void everyProcessEndsOnceAndEveryEffectIsThereOnce(Product product) throws Exception {
    HandlerDatabase database = product.handlerDatabase();
    try (OpenProcesses<?> open = database.openProcesses("test", SchemaMode.MIGRATE)) {
      run(product, database, open);
    }
  }

  private static <T> void run(Product product, HandlerDatabase database, OpenProcesses<T> open)
      throws Exception {
    Seed seed = Seed.printed("process kills on " + product);
    SplittableRandom random = seed.random();
    HandlerChild[] nodes = {start("node-0.0", database), start("node-1.0", database)};
    Map<String, UUID> started = new HashMap<>();
    try (BaseProcessManager<T> manager = TransferProcess.manager("test", open)) {
      int perKill = PROCESSES / KILLS;
      for (int kill = 1; kill <= KILLS; kill++) {
        for (int number = (kill - 1) * perKill; number < kill * perKill; number++) {
          String key = "transfer-" + number;
          started.put(key, manager.startProcess(TransferProcess.TYPE, key, data(number)));
        }
        int ended = (kill - 1) * perKill + random.nextInt(perKill);
        await(() -> open.commands().effects().messages() >= 3 * ended, open, seed);
        LockSupport.parkNanos(random.nextLong(WITHIN_A_STEP_NANOS));
        int victim = random.nextInt(nodes.length);
        nodes[victim].kill();
        nodes[victim].close();
        nodes[victim] = start("node-%d.%d".formatted(victim, kill), database);
      }
      await(() -> active(open).isEmpty(), open, seed);
    } finally {
      for (HandlerChild node : nodes) {
        node.close();
      }
    }
    judge(product, open, started, seed);
  }

  private static Map<String, Object> data(int number) {
    return Map.of("fails", number % FAILING == 0);
  }

  private static HandlerChild start(String name, HandlerDatabase database) {
    return HandlerChild.start(TransferProcess.class, name, database.text());
  }

  private static List<StoredProcess> active(OpenProcesses<?> open) {
    return open.processes().queries().list(ProcessFilter.all().withStatuses(ACTIVE), 10_000);
  }

  private static void await(Callable<Boolean> condition, OpenProcesses<?> open, Seed seed)
      throws Exception {
    Eventually.await(
        PATIENCE,
        condition,
        () ->
            "%s; active: %s; %s"
                .formatted(open.processes().queries().counts(), active(open), seed));
  }

  private static void judge(
      Product product, OpenProcesses<?> open, Map<String, UUID> started, Seed seed)
      throws Exception {
    Map<String, Long> effects =
        open.commands().effects().all().stream()
            .collect(Collectors.groupingBy(Effect::key, Collectors.counting()));
    Map<String, Long> expected = new HashMap<>();
    List<String> wrong = new ArrayList<>();
    started.forEach(
        (key, id) -> {
          boolean fails = Integer.parseInt(key.substring("transfer-".length())) % FAILING == 0;
          String status = open.processes().queries().find(id).orElseThrow().summary().status();
          if (!status.equals(fails ? "COMPENSATED" : "SUCCEEDED")) {
            wrong.add("%s is %s".formatted(key, status));
          }
          List<String> steps =
              fails
                  ? List.of(
                      "Debit", "Convert", "Reserve", "UndoDebit", "UndoConvert", "UndoReserve")
                  : List.of("Debit", "Convert", "Reserve", "Credit", "Notify");
          steps.forEach(step -> expected.put(key + ":" + step, 1L));
        });
    System.out.printf(
        "process kills on %s: processes=%d %s effects=%d kills=%d; %s%n",
        product, started.size(), open.processes().queries().counts(), effects.size(), KILLS, seed);
    assertThat(wrong).as("%s", seed).isEmpty();
    assertThat(effects).as("%s", seed).isEqualTo(expected);
  }
}
