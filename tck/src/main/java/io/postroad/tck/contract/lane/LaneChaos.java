package io.postroad.tck.contract.lane;

import static org.assertj.core.api.Assertions.assertThat;

import io.postroad.message.Message;
import io.postroad.spi.LaneEntry;
import io.postroad.spi.OrderedStore;
import io.postroad.store.OrderKey;
import io.postroad.tck.StoreUnderTest;
import io.postroad.tck.UserTransaction;
import io.postroad.tck.contract.scene.Samples;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.UUID;

/**
 * Writers and readers that take turns by chance, and what they must see. A message is written down
 * with the number of the step in which it was appended and of the one in which it committed.
 */
final class LaneChaos {
  private static final int MAX_OPEN = 8;
  private static final int KEYS = 5;

  private final StoreUnderTest tck;
  private final OrderedStore<Object> store;
  private final Random random;
  private final List<Writer> open = new ArrayList<>();
  private final Map<UUID, Written> committed = new HashMap<>();
  private final List<Reader> readers = new ArrayList<>();
  private int step;

  LaneChaos(StoreUnderTest tck, int lanes, long seed) throws Exception {
    this.tck = tck;
    this.store = tck.ordered(lanes);
    this.random = new Random(seed);
    for (int lane = 0; lane < lanes; lane++) {
      readers.add(new Reader(lane));
    }
  }

  void run(int steps) throws Exception {
    while (step++ < steps) {
      Reader reader = readers.get(random.nextInt(readers.size()));
      switch (random.nextInt(20)) {
        case 0 -> begin();
        case 1, 2, 3, 4, 5, 6, 7, 8 -> append();
        case 9 -> end();
        case 10, 11, 12, 13, 14, 15, 16 -> reader.read(1 + random.nextInt(3));
        case 17, 18 -> reader.settleSome();
        default -> reader.takeOver();
      }
    }
    while (!open.isEmpty()) {
      end();
    }
    readers.forEach(Reader::readTheRest);
    Set<UUID> read = new HashSet<>();
    readers.forEach(reader -> read.addAll(reader.settledOrRead()));
    assertThat(read).as("everything committed was read").isEqualTo(committed.keySet());
  }

  private void begin() throws Exception {
    if (open.size() < MAX_OPEN) {
      open.add(new Writer(tck.begin()));
    }
  }

  private void append() throws Exception {
    if (open.isEmpty()) {
      begin();
    }
    Writer writer = open.get(random.nextInt(open.size()));
    Message message = Samples.ordered("k" + random.nextInt(KEYS));
    writer.transaction.append(message);
    writer.appended.add(new Appended(message, step));
  }

  private void end() throws Exception {
    if (open.isEmpty()) {
      return;
    }
    Writer writer = open.remove(random.nextInt(open.size()));
    if (random.nextInt(4) == 0) {
      writer.transaction.rollback();
      return;
    }
    writer.transaction.commit();
    for (Appended one : writer.appended) {
      committed.put(one.message.id(), new Written(one, writer, step));
    }
  }

  private Written written(UUID id) {
    Written written = committed.get(id);
    if (written == null) {
      throw new AssertionError("in step " + step + " a message was read that was not committed");
    }
    return written;
  }

  /** A transaction and what was appended in it. */
  private static final class Writer {
    final UserTransaction transaction;
    final List<Appended> appended = new ArrayList<>();

    Writer(UserTransaction transaction) {
      this.transaction = transaction;
    }
  }

  private record Appended(Message message, int step) {}

  private record Written(Appended appended, Writer writer, int committedIn) {

    /** Whether the order promised says that this one comes before the other. */
    boolean mustPrecede(Written other) {
      return writer == other.writer
          ? writer.appended.indexOf(appended) < writer.appended.indexOf(other.appended)
          : key().equals(other.key()) && committedIn < other.appended.step;
    }

    OrderKey key() {
      return OrderKey.of(appended.message);
    }
  }

  /** The owners of one lane, one after the other. */
  private final class Reader {
    private final int lane;
    private final Set<UUID> settled = new HashSet<>();
    private final List<LaneEntry> unsettled = new ArrayList<>();
    private LaneOwner owner;
    private int owners;

    Reader(int lane) {
      this.lane = lane;
      this.owner = LaneOwner.take(store, lane, "node-0");
    }

    void read(int limit) {
      owner.read(limit).entries().forEach(this::readOne);
    }

    private void readOne(LaneEntry entry) {
      UUID id = entry.claim().id();
      Written written = written(id);
      Set<UUID> before = settledOrRead();
      assertThat(before).as("read before step %d", step).doesNotContain(id);
      for (UUID earlier : before) {
        assertThat(written.mustPrecede(written(earlier)))
            .as("in step %d, %s must not come before %s", step, earlier, id)
            .isFalse();
      }
      unsettled.add(entry);
    }

    void settleSome() {
      if (unsettled.isEmpty()) {
        return;
      }
      List<LaneEntry> prefix = unsettled.subList(0, 1 + random.nextInt(unsettled.size()));
      owner.settle(prefix.get(prefix.size() - 1).position());
      prefix.forEach(entry -> settled.add(entry.claim().id()));
      prefix.clear();
    }

    void takeOver() {
      boolean sameNode = random.nextBoolean();
      if (!sameNode) {
        owner.release();
        owners++;
      }
      owner = LaneOwner.take(store, lane, "node-" + owners);
      unsettled.clear();
    }

    void readTheRest() {
      for (int limit : List.of(1 + random.nextInt(6), 100)) {
        owner.readAll(limit).forEach(this::readOne);
      }
    }

    Set<UUID> settledOrRead() {
      Set<UUID> all = new HashSet<>(settled);
      unsettled.forEach(entry -> all.add(entry.claim().id()));
      return all;
    }
  }
}
