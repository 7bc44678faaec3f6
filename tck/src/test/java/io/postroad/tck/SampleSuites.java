package io.postroad.tck;

import java.util.Map;
import org.junit.platform.suite.api.ConfigurationParameter;
import org.junit.platform.suite.api.ExcludeClassNamePatterns;
import org.junit.platform.suite.api.IncludeClassNamePatterns;

/** Suites that {@link StoreTckGuardTest} runs; most of them are red, so nothing else runs them. */
final class SampleSuites {
  private static final String NO_STORE = "io.postroad.tck.NoStoreFixture";

  private SampleSuites() {}

  @ConfigurationParameter(key = StoreTck.FIXTURE, value = NO_STORE)
  static class Complete extends CompetingStoreTck {}

  @ConfigurationParameter(
      key = StoreTck.FIXTURE,
      value = "io.postroad.tck.SampleSuites$LackingFixture")
  static class Lacking extends CompetingStoreTck {}

  /** Says why it cannot do something. */
  public static final class LackingFixture extends NoStoreFixture {
    @Override
    public Map<Capability, String> lacks() {
      return Map.of(Capability.SCHEMA, "it has none");
    }
  }

  @ConfigurationParameter(key = StoreTck.FIXTURE, value = NO_STORE)
  static class CompleteOrdered extends OrderedStoreTck {}

  @ConfigurationParameter(key = StoreTck.FIXTURE, value = NO_STORE)
  @ExcludeClassNamePatterns(".*\\.LeaseContract")
  static class LeavesOneOut extends CompetingStoreTck {}

  @ConfigurationParameter(key = StoreTck.FIXTURE, value = NO_STORE)
  @IncludeClassNamePatterns(".*NothingLikeThis")
  static class FindsNothing extends CompetingStoreTck {}

  static class NamesNoFixture extends CompetingStoreTck {}

  @ConfigurationParameter(
      key = StoreTck.FIXTURE,
      value = "io.postroad.tck.SampleSuites$BrokenFixture")
  static class CannotStart extends CompetingStoreTck {}

  @ConfigurationParameter(
      key = StoreTck.FIXTURE,
      value = "io.postroad.tck.SampleSuites$StickyFixture")
  static class CannotStop extends CompetingStoreTck {}

  /** A fixture that cannot be made. */
  public static final class BrokenFixture extends NoStoreFixture {
    public BrokenFixture() {
      throw new IllegalStateException("the server does not start");
    }
  }

  /** A fixture that leaves something behind. */
  public static final class StickyFixture extends NoStoreFixture {
    @Override
    public void close() {
      throw new IllegalStateException("the server does not stop");
    }
  }
}
