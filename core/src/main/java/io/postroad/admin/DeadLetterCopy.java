package io.postroad.admin;

import io.postroad.internal.loop.ErrorText;
import io.postroad.message.Message;
import io.postroad.message.PostroadException;
import io.postroad.outbox.sender.MessageSender;
import io.postroad.outbox.sender.SendOutcome;
import io.postroad.store.DeadLetter;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Copies dead letters to another destination, with what they died of in their headers. */
public final class DeadLetterCopy {
  /** The header with the last error. */
  public static final String ERROR = "dead-letter-error";

  /** Where it should have gone. */
  public static final String DESTINATION = "dead-letter-destination";

  /** How often it was tried. */
  public static final String ATTEMPTS = "dead-letter-attempts";

  /** When it died. */
  public static final String DIED_AT = "dead-letter-died-at";

  /** An error that a store kept from before may be longer than a header. */
  private static final int MAX_ERROR = 4_000;

  private final MessageSender sender;
  private final String destination;

  DeadLetterCopy(MessageSender sender, String destination) {
    this.sender = sender;
    this.destination = destination;
  }

  /** Returns when the broker has acknowledged all of them. */
  void send(List<DeadLetter> letters) {
    List<Message> copies = letters.stream().map(this::copy).toList();
    List<CompletionStage<SendOutcome>> stages = sender.send(copies);
    for (int i = 0; i < copies.size(); i++) {
      requireAccepted(copies.get(i), stages.get(i));
    }
  }

  private Message copy(DeadLetter letter) {
    return letter.message().toBuilder()
        .id(letter.id())
        .to(destination)
        .header(ERROR, ErrorText.bounded(oneLine(letter.error()), MAX_ERROR))
        .header(DESTINATION, letter.message().destination())
        .header(ATTEMPTS, Integer.toString(letter.attempts()))
        .header(DIED_AT, letter.diedAt().toString())
        .build();
  }

  private static String oneLine(String error) {
    return error.replaceAll("\\s*\\R\\s*", " | ").replaceAll("\\p{Cntrl}+", " ");
  }

  private void requireAccepted(Message copy, CompletionStage<SendOutcome> stage) {
    Optional<String> error =
        await(stage)
            .fold(
                accepted -> Optional.empty(),
                rejected -> Optional.of(rejected.error()),
                unknown -> Optional.of(unknown.error()));
    if (error.isPresent()) {
      throw new PostroadException(
          "dead letter %s was not copied to '%s': %s; it and those after it stay as they are, the"
                  .formatted(copy.id(), destination, error.get())
              + " same call copies them once that is mended");
    }
  }

  private SendOutcome await(CompletionStage<SendOutcome> stage) {
    try {
      return stage
          .toCompletableFuture()
          .get(sender.timeout().toMillis() + 1, TimeUnit.MILLISECONDS);
    } catch (ExecutionException failed) {
      return new SendOutcome.Unknown(String.valueOf(failed.getCause()));
    } catch (TimeoutException late) {
      return new SendOutcome.Unknown("no answer within " + sender.timeout());
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
      return new SendOutcome.Unknown("interrupted");
    }
  }
}
