package io.postroad.test;

import static io.postroad.process.ProcessStatus.COMPENSATED;
import static io.postroad.process.ProcessStatus.RUNNING;
import static org.assertj.core.api.Assertions.assertThat;

import io.postroad.jackson.JacksonJsonCodec;
import io.postroad.message.JsonCodec;
import io.postroad.process.ProcessStatus;
import io.postroad.test.PaymentProcesses.BookLimitsCommand;
import io.postroad.test.PaymentProcesses.SimplePaymentProcessDefinition;
import io.postroad.test.model.ModelCheck;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The samples of {@code docs/learn/processes.md}, section "Test your process". */
class ProcessesPageTest {
  private final JsonCodec codec = JacksonJsonCodec.create();

  @Test
  void aPaymentThatIsUndone() {
    ProcessFixture payment = ProcessFixture.of(new SimplePaymentProcessDefinition(), codec);

    payment.given(Map.of("customerId", "c-1", "amount", 100, "requiresFx", true));
    payment.thenCommands(new BookLimitsCommand("c-1", new BigDecimal(100)));

    payment.whenCompleted("BookLimits", Map.of("limitId", "l-7")).thenCommands("BookFx");
    payment.whenFailed("BookFx", "SQLException: connection lost").thenStatus(RUNNING);
    payment.whenTimePasses(Duration.ofSeconds(1));
    payment
        .whenFailed("BookFx", "RateException: no rate")
        .thenCommand("ReverseLimits", Map.of("limitId", "l-7"));
    payment.whenCompleted("ReverseLimits").thenStatus(COMPENSATED).thenCompensated("BookLimits");
  }

  @Test
  void theModelCheckInOneLine() {
    assertThat(ModelCheck.of(new SimplePaymentProcessDefinition(), 0).ends())
        .containsOnlyKeys(ProcessStatus.SUCCEEDED, COMPENSATED, ProcessStatus.FAILED);
  }

  /** What is printed is what runs here, but for line breaks. */
  @Test
  void thePageHasTheseSamples() throws IOException {
    String page = Files.readString(Path.of("..", "docs", "learn", "processes.md"));
    String section = page.substring(page.indexOf("## Test your process"));
    List<String> blocks = List.of(section.substring(0, section.indexOf("\n## ", 1)).split("```"));
    String here =
        squeezed(
            Files.readString(
                Path.of(
                    "src", "test", "java", "io", "postroad", "test", "ProcessesPageTest.java")));

    assertThat(blocks).hasSize(5);
    for (String block : List.of(blocks.get(1), blocks.get(3))) {
      String sample = squeezed(block.substring("java".length()));
      assertThat(here).contains(sample.substring(0, sample.length() - 1));
    }
  }

  private static String squeezed(String code) {
    return code.replaceAll("\\s", "");
  }
}
