package io.postroad.tck.sender;

import static org.assertj.core.api.Assertions.assertThat;

import io.postroad.message.Message;
import io.postroad.outbox.sender.MessageSender;
import io.postroad.outbox.sender.SendOutcome;
import io.postroad.outbox.sender.SendSession;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Order in a {@link SendSession}, on a real broker: whatever happens to a message, those of its key
 * that were handed over behind it do not arrive before it.
 *
 * <p>The messages are sent as a relay does it: many calls in flight, and after a failure, once
 * every outcome is known, what is unknown goes again in order through a new session.
 */
@Timeout(180)
public abstract class SendSessionContract {
  private static final int FOLLOWERS = 60;
  private static final int CALL = 10;

  /** The sender under test, with a send timeout of about two seconds; the same in every call. */
  protected abstract MessageSender sender();

  /** A destination that nobody used before. */
  protected abstract String newDestination();

  /** A message that the broker, not the client, refuses at this destination. */
  protected abstract Message refusedByBroker(String destination, String key);

  /** Makes the broker stand still: it takes nothing and answers nothing. */
  protected abstract void freezeBroker();

  /** Lets it go on. */
  protected abstract void unfreezeBroker();

  /** Kills the broker and starts it on its data. */
  protected abstract void restartBroker();

  /** The types of the messages that arrived, in order, with repeats. */
  protected abstract List<String> arrived(String destination);

  @Test
  void aMessageThatTheBrokerRefusesIsNotOvertakenByFollowersOfItsKey() {
    String destination = newDestination();
    Run run = new Run();
    run.send(List.of(message(destination, "First")));
    run.awaitAll();

    List<Message> messages = new ArrayList<>();
    messages.add(refusedByBroker(destination, "key"));
    messages.addAll(followers(destination));
    run.sendInCalls(messages);
    run.awaitAll();

    assertThat(run.rejected).hasSize(1);
    assertThat(arrived(destination)).as("nothing that was behind it").containsExactly("First");
    run.sendUnknownAgainUntilAccepted();
    assertThat(firstOccurrences(destination)).isEqualTo(inOrder("First"));
  }

  @Test
  void whatIsHandedOverAfterTheFailureWasSeenByTheSenderDoesNotArriveEither() {
    String destination = newDestination();
    Run run = new Run();
    run.send(List.of(refusedByBroker(destination, "key")));
    run.awaitAll();

    run.send(followers(destination));
    run.awaitAll();

    assertThat(arrived(destination)).isEmpty();
    assertThat(run.unknown).hasSize(FOLLOWERS);
    run.sendUnknownAgainUntilAccepted();
    assertThat(firstOccurrences(destination)).isEqualTo(inOrder());
  }

  @Test
  void messagesThatTimeOutArriveInOrder() {
    String destination = newDestination();
    Run run = new Run();
    run.send(List.of(message(destination, "First")));
    run.sendUnknownAgainUntilAccepted();
    freezeBroker();
    try {
      run.sendInCalls(followers(destination));
      run.awaitAll();
      assertThat(run.unknown).as("a time-out is unknown, never rejected").hasSize(FOLLOWERS);
    } finally {
      unfreezeBroker();
    }

    run.sendUnknownAgainUntilAccepted();

    assertThat(firstOccurrences(destination)).isEqualTo(inOrder("First"));
  }

  @Test
  void messagesInFlightWhileTheBrokerRestartsArriveInOrder() {
    String destination = newDestination();
    Run run = new Run();
    run.send(List.of(message(destination, "First")));
    run.sendUnknownAgainUntilAccepted();

    run.sendInCalls(followers(destination));
    restartBroker();
    run.awaitAll();
    run.sendUnknownAgainUntilAccepted();

    assertThat(firstOccurrences(destination)).isEqualTo(inOrder("First"));
  }

  @Test
  void aClosedSessionHandsNothingOver() {
    String destination = newDestination();
    Run run = new Run();
    run.session.close();

    run.send(List.of(message(destination, "Late")));
    run.awaitAll();

    assertThat(run.unknown).hasSize(1);
    assertThat(arrived(destination)).isEmpty();
  }

  private static Message message(String destination, String type) {
    return Message.event(type).to(destination).key("key").json("{}").build();
  }

  private static List<Message> followers(String destination) {
    List<Message> followers = new ArrayList<>();
    for (int i = 0; i < FOLLOWERS; i++) {
      followers.add(message(destination, "Follower" + i));
    }
    return followers;
  }

  private static List<String> inOrder(String... before) {
    List<String> types = new ArrayList<>(List.of(before));
    for (int i = 0; i < FOLLOWERS; i++) {
      types.add("Follower" + i);
    }
    return types;
  }

  private List<String> firstOccurrences(String destination) {
    return List.copyOf(new LinkedHashSet<>(arrived(destination)));
  }

  /** What a relay does with a session, in small. */
  private final class Run {
    private static final int ROUNDS = 60;

    private record Flight(Message message, CompletableFuture<SendOutcome> outcome) {}

    private final List<Flight> flying = new ArrayList<>();
    private final List<Message> rejected = new ArrayList<>();
    private List<Message> unknown = new ArrayList<>();
    private SendSession session = sender().openSession();

    void send(List<Message> messages) {
      var stages = session.send(messages);
      assertThat(stages).hasSameSizeAs(messages);
      for (int i = 0; i < messages.size(); i++) {
        flying.add(new Flight(messages.get(i), stages.get(i).toCompletableFuture()));
      }
    }

    void sendInCalls(List<Message> messages) {
      for (int from = 0; from < messages.size(); from += CALL) {
        send(messages.subList(from, Math.min(messages.size(), from + CALL)));
      }
    }

    void awaitAll() {
      for (Flight flight : flying) {
        SendOutcome outcome = flight.outcome().orTimeout(60, TimeUnit.SECONDS).join();
        if (outcome instanceof SendOutcome.Unknown) {
          unknown.add(flight.message());
        } else if (outcome instanceof SendOutcome.Rejected) {
          rejected.add(flight.message());
        }
      }
      flying.clear();
    }

    void sendUnknownAgainUntilAccepted() {
      awaitAll();
      for (int round = 0; round < ROUNDS && !unknown.isEmpty(); round++) {
        session.close();
        session = sender().openSession();
        List<Message> again = unknown;
        unknown = new ArrayList<>();
        sendInCalls(again);
        awaitAll();
      }
      assertThat(unknown).as("still unknown after %d rounds", ROUNDS).isEmpty();
    }
  }
}
