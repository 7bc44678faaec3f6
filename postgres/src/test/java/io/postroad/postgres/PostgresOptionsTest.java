package io.postroad.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.postroad.schema.SchemaMode;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PostgresOptionsTest {
  private static final PostgresOptions DEFAULTS = PostgresOptions.defaults();

  @Test
  void theDefaultsAreTheDocumentedOnes() {
    assertThat(DEFAULTS)
        .isEqualTo(
            new PostgresOptions(
                "public",
                "",
                SchemaMode.VERIFY,
                "statement_timestamp()",
                Duration.ofSeconds(30),
                PostgresOptions.WakeUpMode.NOTIFY,
                1,
                Duration.ofDays(5),
                false,
                0));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "Mail", "1st", "a\"b", "a b", "a.b", "x2345678901234567890123456789012"})
  void aSchemaThatNeedsQuotingOrIsTooLongIsRefused(String schema) {
    assertThatThrownBy(() -> DEFAULTS.withSchema(schema))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("PostgresOptions.schema must match")
        .hasMessageContaining("'" + schema + "'");
  }

  @Test
  void aBadPrefixIsRefused() {
    assertThatThrownBy(() -> DEFAULTS.withPrefix("x-"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("PostgresOptions.prefix");
  }

  @Test
  void aTimeoutBelowASecondOrAboveAnHourIsRefused() {
    for (Duration timeout : new Duration[] {Duration.ZERO, Duration.ofHours(2)}) {
      assertThatThrownBy(() -> DEFAULTS.withStatementTimeout(timeout))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("got " + timeout);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {-1, 0, 129})
  void aNumberOfLanesThatIsNotOneTo128IsRefused(int lanes) {
    assertThatThrownBy(() -> DEFAULTS.withLanes(lanes))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("PostgresOptions.lanes must be from 1 to 128, got " + lanes);
  }

  @Test
  void aRotationBelowAMinuteIsRefused() {
    assertThatThrownBy(() -> DEFAULTS.withLogRotation(Duration.ofSeconds(59)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("PostgresOptions.logRotation must be from 1min to 3650 days, got PT59S");
  }

  @Test
  void theChannelTellsSchemasAndPrefixesApartWithinTheLimitForNames() {
    String longest = "x".repeat(31);

    assertThat(DEFAULTS.channel()).isEqualTo("postroad.public.");
    assertThat(DEFAULTS.withSchema("a").withPrefix("b_").channel())
        .isNotEqualTo(DEFAULTS.withSchema("a_b").withPrefix("_").channel());
    assertThat(DEFAULTS.withSchema(longest).withPrefix(longest).channel())
        .hasSizeLessThan(64)
        .isNotEqualTo(DEFAULTS.withSchema(longest).withPrefix("y".repeat(31)).channel());
  }

  @Test
  void commandsHaveAChannelThatNoOutboxHas() {
    String longest = "x".repeat(31);
    PostgresOptions far = DEFAULTS.withSchema(longest).withPrefix(longest);

    assertThat(DEFAULTS.commandChannel()).isEqualTo("postroad-command.public.");
    assertThat(far.commandChannel()).hasSizeLessThan(64).isNotEqualTo(far.channel());
  }
}
