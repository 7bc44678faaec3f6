package io.postroad.tck;

import org.junit.platform.suite.api.BeforeSuite;
import org.junit.platform.suite.api.ConfigurationParameter;
import org.junit.platform.suite.api.IncludeClassNamePatterns;
import org.junit.platform.suite.api.IncludeEngines;
import org.junit.platform.suite.api.SelectPackages;
import org.junit.platform.suite.api.Suite;

/**
 * The common base of {@link CompetingStoreTck}, {@link OrderedStoreTck} and {@link
 * PartialStoreTck}.
 *
 * <p>At its end a suite prints {@code tck NAME passed=N failed=N skipped=N}, appends that line to
 * the file that the system property {@value #REPORT} names, and fails when a contract did not run.
 */
@Suite
@IncludeEngines("junit-jupiter")
@SelectPackages("io.postroad.tck.contract")
@IncludeClassNamePatterns(".*Contract")
@ConfigurationParameter(key = "junit.jupiter.execution.parallel.enabled", value = "false")
public abstract class StoreTck {
  /** Configuration parameter: class name of the {@link StoreFixture}. */
  public static final String FIXTURE = "postroad.tck.fixture";

  /** System property: file that the report line is appended to. */
  public static final String REPORT = "postroad.tck.report";

  StoreTck() {}

  @BeforeSuite
  static void nothingRanYet() {
    TckRun.forgetLatest();
  }
}
