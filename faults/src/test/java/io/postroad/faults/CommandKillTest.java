package io.postroad.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.postroad.command.CommandBus;
import io.postroad.command.CommandObserver;
import io.postroad.command.CommandReply;
import io.postroad.message.Message;
import io.postroad.outbox.OutboxRelay;
import io.postroad.schema.SchemaMode;
import io.postroad.servers.ChildJvm;
import io.postroad.store.CommandStatus;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A process dies at each point between the statements of a command, and another one goes on: the
 * row that the handler wrote, its event, the outcome and the reply are there once, or were never.
 */
class CommandKillTest {
  private static final Duration PATIENCE = Duration.ofMinutes(4);

  @ParameterizedTest
  @EnumSource
  void whereverItsProcessDiesACommandHasItsEffectAndItsReplyOnce(Product product) throws Exception {
    HandlerDatabase database = product.handlerDatabase();
    try (OpenCommands<?> open = database.openCommands("test", SchemaMode.MIGRATE)) {
      judge(product, database, open);
    }
  }

  private static <T> void judge(Product product, HandlerDatabase database, OpenCommands<T> open)
      throws Exception {
    Map<CommandPoint, UUID> ids = new EnumMap<>(CommandPoint.class);
    List<CommandPoint> points = List.of(CommandPoint.values());
    try (CommandBus<T> bus =
        CommandProcess.bus(open, open.commands(), points, CommandObserver.none())) {
      for (CommandPoint point : points) {
        if (point != CommandPoint.ACCEPTED) {
          ids.put(point, bus.accept(CommandProcess.request(point)));
        }
        dieAt(point, database);
      }
      assertThat(open.effects().messages()).as("committed before the death: one").isEqualTo(1);
      assertThat(open.commands().findByKey("key of ACCEPTED")).as("rolled back").isEmpty();
      assertThat(open.commands().find(idOf(ids, CommandPoint.COMMITTED)).orElseThrow().status())
          .isEqualTo(CommandStatus.COMPLETED);

      bus.start();
      for (CommandPoint point : points) {
        CompletableFuture<CommandReply> waiting = bus.submit(CommandProcess.request(point));
        CommandReply reply = waiting.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
        assertThat(reply).as("%s", point).isInstanceOf(CommandReply.Completed.class);
        ids.putIfAbsent(point, reply.commandId());
        assertThat(reply.commandId()).as("%s", point).isEqualTo(ids.get(point));
      }
      bus.stop();
    }

    EffectFindings findings = EffectFindings.of(new HashSet<>(ids.values()), open.effects().all());
    System.out.printf("command kills on %s: %s; points=%s%n", product, findings, points);
    assertThat(findings.once()).as(findings.toString()).isTrue();
    List<Message> sent = sent(open);
    assertThat(sent.stream().filter(message -> message.type().equals("OrderCreated")))
        .extracting(Message::id)
        .as("events")
        .containsExactlyInAnyOrderElementsOf(ids.values());
    assertThat(sent.stream().filter(message -> message.type().equals("CommandCompleted")))
        .extracting(message -> UUID.fromString(message.headers().get("command-id")))
        .as("replies")
        .containsExactlyInAnyOrderElementsOf(ids.values());
    assertThat(sent).hasSize(2 * points.size());
  }

  private static UUID idOf(Map<CommandPoint, UUID> ids, CommandPoint point) {
    return ids.getOrDefault(point, new UUID(0, 0));
  }

  private static void dieAt(CommandPoint point, HandlerDatabase database) {
    try (ChildJvm child = ChildJvm.start(CommandProcess.class, database.text(), point.name())) {
      assertThat(child.awaitExit(PATIENCE))
          .as("%s: %s", point, child.output())
          .isEqualTo(CommandProcess.DIED);
    }
  }

  /** Returns the messages of the outbox, drained into a sender that only collects them. */
  private static <T> List<Message> sent(OpenCommands<T> open) {
    List<Message> sent = new ArrayList<>();
    try (OutboxRelay relay =
        OutboxRelay.builder(open.outbox(), new AcceptingSender(sent::add)).build()) {
      var unused = relay.drain();
    }
    return sent;
  }
}
