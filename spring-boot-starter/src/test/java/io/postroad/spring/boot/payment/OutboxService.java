package io.postroad.spring.boot.payment;

import io.postroad.message.JsonCodec;
import io.postroad.message.Message;
import io.postroad.outbox.Outbox;
import java.sql.Connection;
import org.springframework.stereotype.Service;

/** The payment team's own class, now over Postroad's. */
@Service
public class OutboxService {
  private final Outbox<Connection> outbox;
  private final JsonCodec json;

  public OutboxService(Outbox<Connection> outbox, JsonCodec json) {
    this.outbox = outbox;
    this.json = json;
  }

  public void saveEvent(
      String aggregateType,
      String aggregateId,
      String eventType,
      String topic,
      String partitionKey,
      Object payload) {
    var unused =
        outbox.append(
            Message.event(eventType)
                .to(topic)
                .aggregate(aggregateType, aggregateId)
                .key(partitionKey)
                .json(json.encode(payload))
                .build());
  }
}
