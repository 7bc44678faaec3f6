package io.postroad.example.payment.infrastructure.adapter.out.outbox;

import io.postroad.admin.NotPossibleException;
import io.postroad.admin.OutboxAdmin;
import io.postroad.message.JsonCodec;
import io.postroad.message.Message;
import io.postroad.outbox.Outbox;
import io.postroad.store.Decision;
import java.sql.Connection;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

/** Saves events in the outbox, and replays failed events for operators. */
@Service
public class OutboxService {
  private static final Logger LOG = LoggerFactory.getLogger(OutboxService.class);

  private final Outbox<Connection> outbox;
  private final OutboxAdmin admin;
  private final OutboxEventRepository outboxRepository;
  private final JsonCodec json;

  public OutboxService(
      Outbox<Connection> outbox,
      OutboxAdmin admin,
      OutboxEventRepository outboxRepository,
      JsonCodec json) {
    this.outbox = outbox;
    this.admin = admin;
    this.outboxRepository = outboxRepository;
    this.json = json;
  }

  /**
   * Saves an event in the caller's transaction, or in its own. A value that does not fit into its
   * column is refused before a write.
   */
  @Transactional
  public OutboxEvent saveEvent(
      String aggregateType,
      String aggregateId,
      String eventType,
      String topic,
      String partitionKey,
      Object eventPayload) {
    String payload = json.encode(eventPayload);
    Message message =
        Message.event(eventType)
            .to(topic)
            .key(partitionKey)
            .aggregate(aggregateType, aggregateId)
            .schemaVersion(1)
            .json(payload)
            .build();
    var unused = outbox.append(message);
    String id = message.id().toString();
    LOG.info("Outbox event saved: id={}, type={}", id, eventType);
    return new OutboxEvent(id, aggregateType, aggregateId, eventType, topic, partitionKey, payload);
  }

  /** Returns the number of events in a status. */
  @Transactional(readOnly = true)
  public long countByStatus(OutboxEventStatus status) {
    return outboxRepository.countByStatus(status);
  }

  /**
   * Publishes a failed event again, with all its attempts.
   *
   * @throws UnknownEventException if there is no event with this id
   * @throws NotPossibleException if the event has not failed
   */
  public void reprocess(UUID eventId, String by, String reason) {
    try {
      admin.replay(eventId, new Decision(by, reason));
    } catch (NotPossibleException refused) {
      if (admin.find(eventId).isEmpty()) {
        throw new UnknownEventException(eventId, refused);
      }
      throw refused;
    }
    LOG.info("Outbox event will be published again: id={}, by={}", eventId, by);
  }
}
