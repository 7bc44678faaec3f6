package io.postroad.example.rules.infrastructure.outbox;

import io.postroad.message.Message;
import io.postroad.outbox.sender.MessageSender;
import io.postroad.outbox.sender.SendOutcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs the events that the broker has accepted. An observer could not, because signals have no
 * aggregate id.
 */
public final class LoggingSender implements MessageSender {
  private static final Logger LOG = LoggerFactory.getLogger(OutboxProcessor.class);

  private final MessageSender broker;

  public LoggingSender(MessageSender broker) {
    this.broker = broker;
  }

  @Override
  public String name() {
    return broker.name();
  }

  @Override
  public Duration timeout() {
    return broker.timeout();
  }

  @Override
  public List<CompletionStage<SendOutcome>> send(List<Message> messages) {
    List<CompletionStage<SendOutcome>> sent = broker.send(messages);
    List<CompletionStage<SendOutcome>> logged = new ArrayList<>();
    for (int i = 0; i < sent.size(); i++) {
      Message message = messages.get(i);
      logged.add(
          sent.get(i)
              .thenApply(
                  outcome -> {
                    if (outcome instanceof SendOutcome.Accepted) {
                      LOG.info(
                          "Successfully sent event {} for aggregate {}",
                          message.type(),
                          message.aggregateId().orElse(""));
                    }
                    return outcome;
                  }));
    }
    return logged;
  }

  @Override
  public void close() {
    broker.close();
  }
}
