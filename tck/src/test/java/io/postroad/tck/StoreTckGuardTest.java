package io.postroad.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;
import static org.junit.platform.testkit.engine.EventConditions.container;
import static org.junit.platform.testkit.engine.EventConditions.event;
import static org.junit.platform.testkit.engine.EventConditions.finishedWithFailure;
import static org.junit.platform.testkit.engine.TestExecutionResultConditions.message;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.platform.testkit.engine.EngineExecutionResults;
import org.junit.platform.testkit.engine.EngineTestKit;

/** The guard: a suite that did not check everything is red, however its tests ended. */
class StoreTckGuardTest {
  private final Path report;
  private final String reportBefore = System.getProperty(StoreTck.REPORT, "");

  StoreTckGuardTest(@TempDir Path directory) {
    report = directory.resolve("report");
    System.setProperty(StoreTck.REPORT, report.toString());
  }

  @AfterEach
  void writeTheReportWhereItWas() {
    System.setProperty(StoreTck.REPORT, reportBefore);
  }

  @Test
  void aSuiteThatRanEveryContractIsGreen() throws Exception {
    EngineExecutionResults results = run(SampleSuites.Complete.class);

    results.containerEvents().assertStatistics(stats -> stats.failed(0));
    long skipped = results.testEvents().aborted().count();
    assertThat(skipped).isGreaterThan(100);
    assertThat(Files.readAllLines(report))
        .containsExactly("tck no-store passed=0 failed=0 skipped=" + skipped);
  }

  @Test
  void whatAStoreLacksIsListedWithTheReason() throws Exception {
    run(SampleSuites.Lacking.class);

    assertThat(Files.readAllLines(report))
        .hasSize(2)
        .last()
        .isEqualTo("tck no-store lacks SCHEMA: it has none");
  }

  @Test
  void anOrderedSuiteRunsTheContractsOfOrderedStores() {
    EngineExecutionResults results = run(SampleSuites.CompleteOrdered.class);

    results.containerEvents().assertStatistics(stats -> stats.failed(0));
    assertThat(results.testEvents().aborted().count()).isGreaterThan(50);
  }

  @Test
  void aSuiteThatLeftOneContractOutIsRedAndNamesIt() throws Exception {
    EngineExecutionResults results = run(SampleSuites.LeavesOneOut.class);

    assertRed(
        results, SampleSuites.LeavesOneOut.class, "these contracts did not run: [LeaseContract]");
    assertThat(Files.readString(report)).startsWith("tck no-store passed=0 failed=1 skipped=");
  }

  /** The platform itself refuses a suite in which it found no test, before the guard is asked. */
  @Test
  void aSuiteThatFoundNoContractIsRed() {
    EngineExecutionResults results = run(SampleSuites.FindsNothing.class);

    assertThat(results.containerEvents().failed().count()).isPositive();
  }

  @Test
  void aSuiteThatNamesNoFixtureIsRed() {
    EngineExecutionResults results = run(SampleSuites.NamesNoFixture.class);

    assertThat(results.testEvents().failed().count()).isPositive();
    assertRed(results, SampleSuites.NamesNoFixture.class, "these contracts did not run");
  }

  @Test
  void aFixtureThatCannotBeMadeFailsEveryTest() throws Exception {
    EngineExecutionResults results = run(SampleSuites.CannotStart.class);

    long failed = results.testEvents().failed().count();
    assertThat(failed).isEqualTo(results.testEvents().started().count()).isGreaterThan(100);
    assertThat(Files.readAllLines(report))
        .containsExactly("tck SampleSuites$BrokenFixture passed=0 failed=" + failed + " skipped=0");
  }

  @Test
  void aFixtureThatCannotBeClosedMakesTheSuiteRed() {
    assertRed(
        run(SampleSuites.CannotStop.class),
        SampleSuites.CannotStop.class,
        "the server does not stop");
  }

  @Test
  void eachSuiteAddsItsLineToTheReport() throws Exception {
    run(SampleSuites.Complete.class);
    run(SampleSuites.LeavesOneOut.class);

    List<String> lines = Files.readAllLines(report);
    assertThat(lines).hasSize(2).allMatch(line -> line.startsWith("tck no-store "));
  }

  private static EngineExecutionResults run(Class<? extends StoreTck> suite) {
    return EngineTestKit.engine("junit-platform-suite").selectors(selectClass(suite)).execute();
  }

  private static void assertRed(EngineExecutionResults results, Class<?> suite, String why) {
    results
        .containerEvents()
        .assertThatEvents()
        .haveExactly(
            1, event(container(suite), finishedWithFailure(message(text -> text.contains(why)))));
  }
}
