package io.postroad.micronaut.guide;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.ArgumentMatchers.eq;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.mockingDetails;
import static org.mockito.Mockito.when;

import io.micronaut.test.annotation.MockBean;
import io.micronaut.test.extensions.junit5.annotation.MicronautTest;
import io.micronaut.test.support.TestPropertyProvider;
import io.postroad.command.AutoCommandHandlerRegistry;
import io.postroad.command.CommandBus;
import io.postroad.process.ProcessManager;
import jakarta.inject.Inject;
import java.sql.Connection;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Mocks without type arguments, as section 7.3 of the guide writes them, in one that starts. */
@MicronautTest(
    environments = "guide",
    propertySources = "classpath:guide/application.yml",
    transactional = false)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RawMocksTest implements TestPropertyProvider {
  private static final UUID ID = UUID.fromString("00000000-0000-0000-0000-000000000001");

  @Inject ProcessManager<Connection> processManager;

  @Inject AutoCommandHandlerRegistry<Connection> registry;

  @Inject CommandBus<Connection> bus;

  @Override
  public Map<String, String> getProperties() {
    Map<String, String> properties = GuideDatabase.fresh("guide_raw_mocks");
    properties.put("APP_PORT", "-1");
    return properties;
  }

  @MockBean(AutoCommandHandlerRegistry.class)
  @SuppressWarnings("rawtypes")
  AutoCommandHandlerRegistry autoCommandHandlerRegistry() {
    return mock(AutoCommandHandlerRegistry.class);
  }

  @MockBean(ProcessManager.class)
  @SuppressWarnings("rawtypes")
  ProcessManager processManager() {
    return mock(ProcessManager.class);
  }

  @Test
  void theyReplaceOursWhereverTheyAreInjected() {
    assertTrue(mockingDetails(processManager).isMock());
    assertTrue(mockingDetails(registry).isMock());
    assertFalse(bus.isRunning(), "a registry without handlers");

    when(processManager.startProcess(eq("SimplePayment"), any(), any())).thenReturn(ID);
    assertEquals(ID, processManager.startProcess("SimplePayment", "p-1", Map.of()));
  }
}
