package io.postroad.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.postroad.message.Message;
import io.postroad.outbox.sender.MessageSender;
import io.postroad.outbox.sender.SendOutcome;
import io.postroad.schema.SchemaMode;
import io.postroad.store.Backlog;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A consumer is killed in the middle of its work, and another one takes over: each message has its
 * effect once, those of a key in order, although the broker delivers again and the retry line is in
 * use. Nothing but the inbox keeps effects from being repeated.
 */
class ConsumerKillTest {
  private static final int KILLS = Length.of(1, 4);

  /**
   * Kills go on until messages were delivered again and one kill has met messages in the retry
   * line.
   */
  private static final int MOST_KILLS = 4;

  private static final int KEYS = 20;
  private static final int PER_KEY = Length.of(35, 50);
  private static final int PER_KEY_AT_THE_END = 5;
  private static final long WITHIN_A_BATCH_NANOS = Duration.ofMillis(30).toNanos();
  private static final Duration SEND_TIMEOUT = Duration.ofSeconds(10);
  private static final Duration PATIENCE = Duration.ofMinutes(4);

  static Stream<Arguments> ways() {
    return Stream.of(BrokerKind.values())
        .flatMap(broker -> Stream.of(Product.values()).map(to -> Arguments.of(broker, to)));
  }

  @ParameterizedTest
  @MethodSource("ways")
  void consumersKilledAtRandomMomentsHaveEachEffectOnce(BrokerKind kind, Product product)
      throws Exception {
    Seed seed = Seed.printed("consumer kills from %s to %s".formatted(kind, product));
    SplittableRandom random = seed.random();
    HandlerDatabase database = product.handlerDatabase();
    Broker broker = kind.shared();
    Set<UUID> sent = new HashSet<>();
    int repeated = 0;
    long waitingAtKill = 0;
    int kills = 0;
    try (OpenInbox<?> inbox = database.openInbox("test", SchemaMode.MIGRATE)) {
      send(broker, 1, PER_KEY, sent);
      HandlerChild consumer = start(0, database, broker);
      try {
        while (kills < KILLS || ((repeated == 0 || waitingAtKill == 0) && kills < MOST_KILLS)) {
          awaitEffects(inbox, inbox.effects().messages() + 40 + random.nextInt(120), seed);
          LockSupport.parkNanos(random.nextLong(WITHIN_A_BATCH_NANOS));
          consumer.kill();
          waitingAtKill += inbox.retries().backlog().pending();
          repeated += consumer.lines(ConsumerProcess.REPEATED);
          consumer.close();
          consumer = start(++kills, database, broker);
        }
        // Behind all that is delivered again: once they are handled, nothing else comes.
        send(broker, 1 + PER_KEY, PER_KEY_AT_THE_END, sent);
        awaitEffects(inbox, sent.size(), seed);
        awaitEmptyRetryLine(inbox, seed);
        repeated += consumer.lines(ConsumerProcess.REPEATED);
      } finally {
        consumer.close();
      }

      EffectFindings findings = EffectFindings.of(sent, inbox.effects().all());
      System.out.printf(
          "consumer kills from %s to %s: %s; kills=%d in-retry-line-at-kill=%d delivered-again=%d; %s%n",
          kind, product, findings, kills, waitingAtKill, repeated, seed);
      assertThat(findings.onceInOrder()).as("%s; %s", findings, seed).isTrue();
      assertThat(repeated).as("delivered again; %s", seed).isPositive();
      assertThat(waitingAtKill).as("in the retry line at a kill; %s", seed).isPositive();
    }
  }

  private static HandlerChild start(int number, HandlerDatabase database, Broker broker) {
    ConsumerArgs args =
        new ConsumerArgs(
            "consumer-" + number, database, broker.kind(), broker.address(), broker.destination());
    return HandlerChild.start(ConsumerProcess.class, args.toArray());
  }

  /** So many messages of each key, whose numbers go on. */
  private static void send(Broker broker, int first, int count, Set<UUID> sent) throws Exception {
    try (MessageSender sender = broker.kind().sender(broker.address(), SEND_TIMEOUT)) {
      for (int number = first; number < first + count; number++) {
        List<Message> round = new ArrayList<>();
        for (int key = 0; key < KEYS; key++) {
          round.add(
              Message.event("Booked")
                  .to(broker.destination())
                  .key("account-" + key)
                  .json(Integer.toString(number))
                  .build());
        }
        for (CompletionStage<SendOutcome> outcome : sender.send(round)) {
          assertThat(outcome.toCompletableFuture().get(1, TimeUnit.MINUTES))
              .isInstanceOf(SendOutcome.Accepted.class);
        }
        round.forEach(message -> sent.add(message.id()));
      }
    }
  }

  private static void awaitEffects(OpenInbox<?> inbox, int messages, Seed seed) throws Exception {
    Eventually.await(
        PATIENCE,
        () -> inbox.effects().messages() >= messages,
        () ->
            "expected effects of %d messages; retry line: %s; %s"
                .formatted(messages, inbox.retries().backlog(), seed));
  }

  private static void awaitEmptyRetryLine(OpenInbox<?> inbox, Seed seed) throws Exception {
    Eventually.await(
        PATIENCE,
        () -> {
          Backlog line = inbox.retries().backlog();
          return line.pending() == 0 && line.dead() == 0;
        },
        () -> "the retry line has %s; %s".formatted(inbox.retries().backlog(), seed));
  }
}
