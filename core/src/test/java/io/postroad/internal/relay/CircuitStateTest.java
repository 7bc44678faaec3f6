package io.postroad.internal.relay;

import static io.postroad.internal.relay.CircuitState.CLOSED;
import static io.postroad.internal.relay.CircuitState.HALF_OPEN;
import static io.postroad.internal.relay.CircuitState.OPEN;
import static io.postroad.internal.relay.CircuitState.SUSPECTED;
import static org.assertj.core.api.Assertions.assertThat;

import io.postroad.internal.relay.CircuitState.Input;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Every field of the table of transitions. */
class CircuitStateTest {

  @ParameterizedTest
  @CsvSource({
    // before, FAILURE, LAST_FAILURE, ANSWER, LAST_ANSWER, NONE_BLOCKED
    "CLOSED, CLOSED, OPEN, CLOSED, CLOSED, CLOSED",
    "SUSPECTED, OPEN, OPEN, HALF_OPEN, CLOSED, SUSPECTED",
    "OPEN, OPEN, OPEN, HALF_OPEN, CLOSED, OPEN",
    "HALF_OPEN, OPEN, OPEN, HALF_OPEN, CLOSED, CLOSED",
  })
  void eachInputLeadsToItsState(
      CircuitState before,
      CircuitState failure,
      CircuitState lastFailure,
      CircuitState answer,
      CircuitState lastAnswer,
      CircuitState noneBlocked) {
    assertThat(Input.values())
        .extracting(before::after)
        .containsExactly(failure, lastFailure, answer, lastAnswer, noneBlocked);
  }

  @Test
  void onlyProbesGoWhileTheCircuitIsOpenOrSuspectedToBe() {
    assertThat(CircuitState.values())
        .filteredOn(CircuitState::isOpen)
        .containsOnly(SUSPECTED, OPEN);
    assertThat(CircuitState.values())
        .filteredOn(state -> !state.isOpen())
        .containsOnly(CLOSED, HALF_OPEN);
  }
}
