package io.postroad.example.rules.infrastructure.outbox;

import com.mongodb.client.ClientSession;
import io.postroad.example.rules.application.RuleEvents;
import io.postroad.example.rules.domain.RuleEvent;
import io.postroad.message.JsonCodec;
import io.postroad.message.Message;
import io.postroad.outbox.Outbox;
import java.util.List;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.stereotype.Component;

/** Appends events to the outbox, in the transaction of the thread. */
@Component
class OutboxRuleEvents implements RuleEvents {
  static final String AGGREGATE_TYPE = "RecurringRule";

  private final Outbox<ClientSession> outbox;
  private final JsonCodec json;
  private final String topic;

  OutboxRuleEvents(
      Outbox<ClientSession> outbox,
      JsonCodec json,
      @Value("${recurring-rules.topic}") String topic) {
    this.outbox = outbox;
    this.json = json;
    this.topic = topic;
  }

  @Override
  public void append(List<RuleEvent> events) {
    var unused = outbox.appendAll(events.stream().map(this::message).toList());
  }

  private Message message(RuleEvent event) {
    return Message.event(event.eventType())
        .to(topic)
        .aggregate(AGGREGATE_TYPE, event.ruleId())
        .json(json.encode(event))
        .build();
  }
}
