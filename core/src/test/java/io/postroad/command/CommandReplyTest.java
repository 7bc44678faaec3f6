package io.postroad.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.entry;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class CommandReplyTest {
  private static final UUID COMMAND = new UUID(0, 1);
  private static final UUID CORRELATION = new UUID(0, 2);

  @Test
  void factoriesMakeTheThreeKinds() {
    assertThat(CommandReply.completed(COMMAND, CORRELATION, Map.of("paymentId", "p")))
        .isEqualTo(new CommandReply.Completed(COMMAND, CORRELATION, Map.of("paymentId", "p")));
    assertThat(CommandReply.failed(COMMAND, CORRELATION, "no", FailureCode.EXHAUSTED))
        .isEqualTo(new CommandReply.Failed(COMMAND, CORRELATION, "no", FailureCode.EXHAUSTED));
    assertThat(CommandReply.timedOut(COMMAND, CORRELATION, "late"))
        .isEqualTo(new CommandReply.TimedOut(COMMAND, CORRELATION, "late"));
  }

  @Test
  void failureWithoutACodeIsABusinessFailure() {
    assertThat(CommandReply.failed(COMMAND, CORRELATION, "no"))
        .isEqualTo(new CommandReply.Failed(COMMAND, CORRELATION, "no", FailureCode.BUSINESS))
        .isEqualTo(new CommandReply.Failed(COMMAND, CORRELATION, "no"));
  }

  @Test
  void everyReplyTellsWhatItAnswers() {
    CommandReply reply = CommandReply.timedOut(COMMAND, CORRELATION, "late");

    assertThat(reply.commandId()).isEqualTo(COMMAND);
    assertThat(reply.correlationId()).isEqualTo(CORRELATION);
  }

  @Test
  @SuppressWarnings("NullAway") // JSON has null
  void dataIsACopyThatKeepsOrderAndNull() {
    Map<String, Object> given = new LinkedHashMap<>();
    given.put("z", 1);
    given.put("a", null);
    given.put("m", "text");
    CommandReply.Completed reply = new CommandReply.Completed(COMMAND, CORRELATION, given);
    given.clear();

    assertThat(reply.data()).containsExactly(entry("z", 1), entry("a", null), entry("m", "text"));
    assertThatThrownBy(() -> reply.data().put("x", 1))
        .isInstanceOf(UnsupportedOperationException.class);
  }

  @Test
  void dataIsNotShownInLogs() {
    assertThat(CommandReply.completed(COMMAND, CORRELATION, Map.of("iban", "secret")).toString())
        .contains(COMMAND.toString(), CORRELATION.toString(), "1 fields")
        .doesNotContain("secret");
  }

  @Test
  void contextKeepsItsOwnHeadersAndCountsFromOne() {
    Map<String, String> headers = new HashMap<>(Map.of("tenant", "a"));
    CommandContext<String> context = context(headers, 1);
    headers.clear();

    assertThat(context.headers()).containsExactly(entry("tenant", "a"));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> context(headers, 0))
        .withMessage("expected attempt to be 1 or more, got 0");
  }

  private static CommandContext<String> context(Map<String, String> headers, int attempt) {
    return new CommandContext<>(
        COMMAND, "CreateOrder", "key", "order-1", CORRELATION, headers, attempt, "transaction");
  }
}
