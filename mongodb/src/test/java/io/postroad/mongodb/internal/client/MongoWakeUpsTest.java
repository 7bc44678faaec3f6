package io.postroad.mongodb.internal.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.postroad.mongodb.MongoOptions;
import io.postroad.spi.WakeUps;
import io.postroad.spi.hint.NodeWakeUps;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.bson.BsonDocument;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Hints between nodes over a real change stream, broken ones among them. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class MongoWakeUpsTest {
  private TestDatabase database;

  @BeforeAll
  void create() {
    database = TestDatabase.migrated("wake");
  }

  @AfterAll
  void close() {
    database.close();
  }

  @Test
  void aListenerHearsOthersButNotItself() throws Exception {
    SignalDocument here = new SignalDocument(database.database());
    SignalDocument there = new SignalDocument(database.database());
    Semaphore heard = new Semaphore(0);
    try (SignalListener listener = new SignalListener(here, heard::release)) {
      listener.start();
      sendUntilHeard(there, heard);
      heard.drainPermits();

      here.send();
      there.send();

      assertThat(heard.tryAcquire(60, TimeUnit.SECONDS)).as("the other").isTrue();
      assertThat(heard.availablePermits()).as("itself, which came before").isZero();
    }
  }

  @Test
  void outboxesOfDifferentPrefixesDoNotHearEachOther() throws Exception {
    MongoOptions other = database.options().withPrefix("other_");
    SignalDocument here = new SignalDocument(database.database());
    SignalDocument elsewhere = new SignalDocument(new Database(database.client(), other));
    SignalDocument elsewhereToo = new SignalDocument(new Database(database.client(), other));
    Semaphore heard = new Semaphore(0);
    try (SignalListener listener = new SignalListener(elsewhere, heard::release)) {
      listener.start();
      sendUntilHeard(elsewhereToo, heard);
      heard.drainPermits();

      here.send();
      elsewhereToo.send();

      assertThat(heard.tryAcquire(60, TimeUnit.SECONDS)).isTrue();
      assertThat(heard.availablePermits()).isZero();
    }
  }

  /** As after lost history: the stream cannot be resumed and is begun anew. */
  @Test
  void aStreamThatCannotGoOnIsBegunAnewAndTheGapCountsAsAHint() throws Exception {
    MongoOptions dropped = database.options().withPrefix("dropped_");
    SignalDocument here = new SignalDocument(new Database(database.client(), dropped));
    SignalDocument there = new SignalDocument(new Database(database.client(), dropped));
    Semaphore heard = new Semaphore(0);
    try (SignalListener listener = new SignalListener(here, heard::release)) {
      listener.start();
      sendUntilHeard(there, heard);
      heard.drainPermits();

      new Database(database.client(), dropped).collection(Names.SIGNAL).drop();

      assertThat(heard.tryAcquire(60, TimeUnit.SECONDS)).as("the gap is a hint").isTrue();
      heard.drainPermits();
      sendUntilHeard(there, heard);
    }
  }

  @Test
  void closingEndsTheThreads() throws Exception {
    MongoOptions closing = database.options().withPrefix("closing_");
    NodeWakeUps here = SignalDocument.wakeUps(new Database(database.client(), closing));
    NodeWakeUps there = SignalDocument.wakeUps(new Database(database.client(), closing));
    Semaphore heard = new Semaphore(0);
    there.subscribe(heard::release);
    signalUntilHeard(here, heard);

    here.close();
    there.close();
    there.close();

    assertThat(Thread.getAllStackTraces().keySet())
        .extracting(Thread::getName)
        .noneMatch(name -> name.contains("closing_"));
  }

  @Test
  void localHintsNeedNoDatabase() {
    MongoOptions local = database.options().withWakeUpMode(MongoOptions.WakeUpMode.LOCAL);
    Semaphore heard = new Semaphore(0);
    long before = hints();
    try (NodeWakeUps wakeUps = SignalDocument.wakeUps(new Database(database.client(), local))) {
      wakeUps.subscribe(heard::release);
      wakeUps.signal();
    }

    assertThat(heard.availablePermits()).isEqualTo(1);
    assertThat(hints()).isEqualTo(before);
  }

  private long hints() {
    BsonDocument hint = database.collection(Names.SIGNAL).find().first();
    return hint == null ? 0 : hint.getNumber("hints").longValue();
  }

  /** A hint may be lost while the stream is being opened, so it is given until one arrives. */
  private static void signalUntilHeard(WakeUps wakeUps, Semaphore heard) throws Exception {
    for (int i = 0; i < 60; i++) {
      wakeUps.signal();
      if (heard.tryAcquire(1, TimeUnit.SECONDS)) {
        return;
      }
    }
    throw new AssertionError("60 signals, none of them heard by the other node");
  }

  private static void sendUntilHeard(SignalDocument signal, Semaphore heard) throws Exception {
    for (int i = 0; i < 60; i++) {
      signal.send();
      if (heard.tryAcquire(1, TimeUnit.SECONDS)) {
        return;
      }
    }
    throw new AssertionError("60 hints, none of them heard by the other node");
  }
}
