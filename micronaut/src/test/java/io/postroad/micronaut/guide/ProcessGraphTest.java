package io.postroad.micronaut.guide;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.postroad.process.ProcessConfiguration;
import io.postroad.process.ProcessGraph;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Section 7.5 of the guide. */
class ProcessGraphTest {

  @Test
  void shouldDefineCorrectProcessFlow() {
    ProcessConfiguration config = new SimplePaymentProcessDefinition();
    ProcessGraph graph = config.defineProcess();

    // Verify initial step
    assertEquals("BookLimits", graph.getInitialStep());

    // Verify next steps
    Optional<String> nextStep = graph.getNextStep("BookLimits", Map.of("requiresFx", true));
    assertTrue(nextStep.isPresent());
    assertEquals("BookFx", nextStep.get());

    // Verify compensation
    assertTrue(graph.requiresCompensation("BookLimits"));
    assertEquals("ReverseLimits", graph.getCompensationStep("BookLimits").get());
  }
}
