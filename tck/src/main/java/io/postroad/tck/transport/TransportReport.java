package io.postroad.tck.transport;

import io.postroad.tck.StoreTck;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.TestWatcher;

/** Counts what ran and writes the report line, as the suites of stores do. */
final class TransportReport implements TestWatcher, AfterAllCallback {
  private int passed;
  private int failed;
  private int skipped;
  private @Nullable TransportContract<?> contract;

  @Override
  public synchronized void testSuccessful(ExtensionContext context) {
    passed++;
    remember(context);
  }

  @Override
  public synchronized void testFailed(ExtensionContext context, @Nullable Throwable cause) {
    failed++;
    remember(context);
  }

  @Override
  public synchronized void testAborted(ExtensionContext context, @Nullable Throwable cause) {
    skipped++;
    remember(context);
  }

  @Override
  public synchronized void testDisabled(ExtensionContext context, Optional<String> reason) {
    skipped++;
  }

  private void remember(ExtensionContext context) {
    context.getTestInstance().ifPresent(instance -> contract = (TransportContract<?>) instance);
  }

  @Override
  public synchronized void afterAll(ExtensionContext context) throws IOException {
    String name =
        contract == null ? context.getRequiredTestClass().getSimpleName() : contract.name();
    String line =
        "tck transport-%s passed=%d failed=%d skipped=%d".formatted(name, passed, failed, skipped);
    System.out.println(line);
    String file = System.getProperty(StoreTck.REPORT, "");
    if (!file.isBlank()) {
      Files.writeString(
          Path.of(file),
          line + System.lineSeparator(),
          StandardOpenOption.CREATE,
          StandardOpenOption.APPEND);
    }
  }
}
