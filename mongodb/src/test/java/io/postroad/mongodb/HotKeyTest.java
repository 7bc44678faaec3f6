package io.postroad.mongodb;

import static org.assertj.core.api.Assertions.assertThat;

import io.postroad.message.Message;
import io.postroad.spi.LaneEntry;
import io.postroad.spi.LaneLease;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Many writers of one key at once. */
@Timeout(120)
final class HotKeyTest {
  private static final int WRITERS = 8;
  private static final int EACH = 50;

  /** No conflicts, so no transaction is begun twice, and writers share raises of the counter. */
  @Test
  void writersOfOneKeyDoNotRunAgain() throws Exception {
    CommandHook hook = new CommandHook();
    AtomicInteger begun = new AtomicInteger();
    ExecutorService threads = Executors.newFixedThreadPool(WRITERS);
    try (OrderedDatabase database = OrderedDatabase.fresh("hot", hook)) {
      database.reset(1);
      try (MongoOrderedStore store = database.open()) {
        hook.forget();
        List<Callable<List<Message>>> writers = new ArrayList<>();
        for (int i = 0; i < WRITERS; i++) {
          writers.add(() -> write(store, begun));
        }
        List<List<Message>> written = new ArrayList<>();
        for (Future<List<Message>> writer : threads.invokeAll(writers)) {
          written.add(writer.get());
        }

        assertThat(begun).as("transactions begun").hasValue(WRITERS * EACH);
        assertThat(hook.commands())
            .filteredOn(command -> command.containsKey("findAndModify"))
            .as("raises of the counter")
            .hasSizeBetween(EACH, WRITERS * EACH - 1);
        LaneLease lease = store.lanes().take(0, "node", Duration.ofMinutes(1)).orElseThrow();
        List<Message> read =
            store.log().read(lease, lease.position(), 10_000).entries().stream()
                .map(LaneEntry::message)
                .toList();
        assertThat(read).hasSize(WRITERS * EACH);
        assertThat(written).allSatisfy(own -> assertThat(read).containsSubsequence(own));
      }
    } finally {
      threads.shutdownNow();
    }
  }

  private static List<Message> write(MongoOrderedStore store, AtomicInteger begun) {
    List<Message> written = new ArrayList<>();
    for (int i = 0; i < EACH; i++) {
      Message message = OrderedDatabase.message("hot");
      store
          .transactions()
          .run(
              session -> {
                begun.incrementAndGet();
                store.append(session, List.of(message), OrderedDatabase.DAY);
              });
      written.add(message);
    }
    return written;
  }
}
