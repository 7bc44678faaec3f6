package io.postroad.tck.contract.outbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.postroad.message.Message;
import io.postroad.message.MessageIds;
import io.postroad.message.PostroadException;
import io.postroad.store.AppendResult;
import io.postroad.store.MessageStatus;
import io.postroad.store.StoredMessage;
import io.postroad.tck.Capability;
import io.postroad.tck.StoreContract;
import io.postroad.tck.StoreUnderTest;
import io.postroad.tck.UserTransaction;
import io.postroad.tck.contract.scene.Samples;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** {@code append} stores messages, returns their results, and refuses invalid calls. */
@StoreContract
public final class AppendContract {

  /** append, MUST 5. */
  @Test
  void appendAnswersOneResultPerMessageInOrder(StoreUnderTest tck) throws Exception {
    List<Message> messages = Samples.messages(500);

    List<AppendResult> results = tck.append(messages);

    assertThat(results)
        .containsExactlyElementsOf(
            Samples.ids(messages).stream().<AppendResult>map(AppendResult.Appended::new).toList());
    for (Message message : messages) {
      assertThat(tck.find(message.id()).message()).isEqualTo(message);
    }
  }

  @Test
  void appendOfNothingAnswersNothing(StoreUnderTest tck) throws Exception {
    assertThat(tck.append()).isEmpty();
    assertThat(tck.store().backlog().pending()).isZero();
  }

  @Test
  void appendedMessageIsPendingAndUntouched(StoreUnderTest tck) throws Exception {
    Message message = Samples.message();
    Instant before = tck.store().now();
    tck.append(message);
    Instant after = tck.store().now();

    StoredMessage stored = tck.find(message.id());

    assertThat(stored.status()).isEqualTo(MessageStatus.PENDING);
    assertThat(stored.attempts()).isZero();
    assertThat(stored.owner()).isEmpty();
    assertThat(stored.lastError()).isEmpty();
    assertThat(stored.appendedAt()).isBetween(before, after);
    assertThat(stored.dueAt()).isBetween(before, after);
  }

  @Test
  void findOfAnUnknownIdIsEmpty(StoreUnderTest tck) throws Exception {
    tck.append(Samples.message());

    assertThat(tck.store().find(MessageIds.next())).isEmpty();
  }

  @Test
  void everyNodeFindsWhatOneAppended(StoreUnderTest tck) throws Exception {
    Message message = Samples.message();
    tck.append(message);

    assertThat(tck.anotherNode().find(message.id()).map(StoredMessage::message)).contains(message);
  }

  /** append, MUST 4. */
  @Test
  void appendRefusesAnIdThatIsStoredAlready(StoreUnderTest tck) throws Exception {
    tck.needs(Capability.UNIQUE_IDS);
    Message first = Samples.message();
    tck.append(first);
    Message second = Message.command("Other").id(first.id()).to("elsewhere").json("{}").build();

    UserTransaction transaction = tck.begin();
    assertThatThrownBy(() -> transaction.append(second))
        .isInstanceOf(PostroadException.class)
        .hasMessageContaining(first.id().toString());
    transaction.rollback();

    assertThat(tck.find(first.id()).message()).isEqualTo(first);
    assertThat(tck.store().backlog().pending()).isEqualTo(1);
  }

  /** append, MUST 4. */
  @Test
  void appendRefusesOneIdTwiceInACall(StoreUnderTest tck) throws Exception {
    Message message = Samples.message();

    UserTransaction transaction = tck.begin();
    assertThatThrownBy(() -> transaction.append(message, message))
        .isInstanceOf(PostroadException.class)
        .hasMessageContaining(message.id().toString());
    transaction.rollback();

    assertThat(tck.store().find(message.id())).isEmpty();
  }

  /** append, MUST 4. */
  @Test
  void appendRefusesAnIdThatWasDeliveredAlready(StoreUnderTest tck) throws Exception {
    tck.needs(Capability.UNIQUE_IDS);
    Message message = Samples.message();
    tck.deliver(message);

    UserTransaction transaction = tck.begin();
    assertThatThrownBy(() -> transaction.append(message)).isInstanceOf(PostroadException.class);
    transaction.rollback();

    assertThat(tck.find(message.id()).status()).isEqualTo(MessageStatus.DISPATCHED);
  }

  @Test
  void aMessageWithoutTypeOrDestinationIsRefusedBeforeTheStoreSeesIt(StoreUnderTest tck)
      throws Exception {
    assertThatThrownBy(() -> Message.event("").to("orders").json("{}").build())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("message type must not be empty");
    assertThatThrownBy(() -> Message.event("OrderPlaced").json("{}").build())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("message destination must not be null");
    assertThatThrownBy(() -> Message.event("OrderPlaced").to(" ").json("{}").build())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("message destination must not be empty");

    assertThat(tck.store().backlog().pending()).isZero();
  }
}
