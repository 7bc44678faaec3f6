package io.postroad.tck;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * One suite's way through the contracts: its fixture, what ran and how it ended.
 *
 * <p>A static method after a suite is all that the platform offers, so the latest run is kept in a
 * static place until that method takes it; suites of one JVM therefore run one after the other,
 * which is what the suite engine does.
 */
final class TckRun implements AutoCloseable {
  private static final AtomicReference<@Nullable TckRun> LATEST = new AtomicReference<>();

  private final String fixtureClass;
  private final Set<Class<?>> ran = new LinkedHashSet<>();
  private final List<String> problems = new ArrayList<>();
  private @Nullable StoreFixture<Object> fixture;
  private @Nullable RuntimeException noFixture;
  private String name;
  private int passed;
  private int failed;
  private int skipped;

  private TckRun(String fixtureClass) {
    this.fixtureClass = fixtureClass;
    this.name = fixtureClass.substring(fixtureClass.lastIndexOf('.') + 1);
  }

  static TckRun start(String fixtureClass) {
    TckRun run = new TckRun(fixtureClass);
    LATEST.set(run);
    return run;
  }

  static void forgetLatest() {
    LATEST.set(null);
  }

  /** The run of the suite that has just ended, even if no contract got as far as starting one. */
  static TckRun takeLatest() {
    TckRun run = LATEST.getAndSet(null);
    return run == null ? new TckRun("none") : run;
  }

  /** The fixture, made at the first call; a fixture that cannot be made fails every test. */
  synchronized StoreFixture<Object> fixture() {
    if (noFixture != null) {
      throw noFixture;
    }
    if (fixture == null) {
      try {
        fixture = newFixture();
        name = fixture.name();
      } catch (ReflectiveOperationException | RuntimeException | LinkageError e) {
        noFixture = new IllegalStateException("cannot make the fixture " + fixtureClass, e);
        throw noFixture;
      }
    }
    return fixture;
  }

  /** Contracts hand a transaction only back to where it came from, so its type does not matter. */
  @SuppressWarnings("unchecked")
  private StoreFixture<Object> newFixture() throws ReflectiveOperationException {
    Class<?> type = Class.forName(fixtureClass, true, classLoader());
    return (StoreFixture<Object>)
        type.asSubclass(StoreFixture.class).getConstructor().newInstance();
  }

  private static ClassLoader classLoader() {
    ClassLoader context = Thread.currentThread().getContextClassLoader();
    return context == null ? TckRun.class.getClassLoader() : context;
  }

  synchronized void passed(Class<?> contract) {
    ran.add(contract);
    passed++;
  }

  synchronized void failed(Class<?> contract) {
    ran.add(contract);
    failed++;
  }

  synchronized void skipped(Class<?> contract) {
    ran.add(contract);
    skipped++;
  }

  /** Closes the fixture. A failure is kept for {@link #finish}, where it fails the suite. */
  @Override
  public synchronized void close() {
    if (fixture != null) {
      try {
        fixture.close();
      } catch (Exception e) {
        problems.add("the fixture " + fixtureClass + " could not be closed: " + e);
      }
    }
  }

  /** Writes the report line, then fails if one of these contracts did not run. */
  synchronized void finish(List<Class<?>> contracts) {
    List<String> missing =
        contracts.stream()
            .filter(contract -> !ran.contains(contract))
            .map(Class::getSimpleName)
            .toList();
    if (!missing.isEmpty()) {
      problems.add("these contracts did not run: " + missing);
    }
    report();
    if (!problems.isEmpty()) {
      throw new AssertionError(
          "the TCK did not check " + name + " whole: " + String.join("; ", problems));
    }
  }

  private void report() {
    List<String> lines = new ArrayList<>();
    lines.add(
        "tck %s passed=%d failed=%d skipped=%d"
            .formatted(name, passed, failed + problems.size(), skipped));
    if (fixture != null) {
      new TreeMap<>(fixture.lacks())
          .forEach(
              (capability, why) ->
                  lines.add("tck %s lacks %s: %s".formatted(name, capability, why)));
    }
    lines.forEach(System.out::println);
    String file = System.getProperty(StoreTck.REPORT, "");
    if (!file.isBlank()) {
      try {
        Files.write(Path.of(file), lines, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
      } catch (IOException e) {
        throw new UncheckedIOException("cannot append the TCK report to " + file, e);
      }
    }
  }
}
