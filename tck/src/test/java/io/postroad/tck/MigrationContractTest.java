package io.postroad.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import io.postroad.tck.contract.Contracts;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.platform.testkit.engine.EngineExecutionResults;
import org.junit.platform.testkit.engine.EngineTestKit;
import org.junit.platform.testkit.engine.Event;

/** The in-memory store has no schema, so the migration contract is tried on one made of paper. */
class MigrationContractTest {
  private static final String FLAWS = "postroad.tck.paper.flaws";

  /** Makes schemas with the flaws that the system property names. */
  public static final class PaperFixture extends NoStoreFixture {
    @Override
    public Set<Capability> capabilities() {
      return Set.of(Capability.SCHEMA);
    }

    @Override
    public SchemaFixture freshSchema() {
      return new PaperSchema(
          Arrays.stream(System.getProperty(FLAWS, "").split(","))
              .filter(name -> !name.isBlank())
              .map(PaperSchema.Flaw::valueOf)
              .collect(Collectors.toSet()));
    }
  }

  @Test
  void aGoodSchemaPasses() {
    EngineExecutionResults results = run("");

    results.testEvents().assertStatistics(stats -> stats.failed(0).aborted(0));
    assertThat(results.testEvents().succeeded().count()).isGreaterThan(10);
  }

  @ParameterizedTest
  @CsvSource({
    "VERIFY_IS_BLIND, verifyRefusesATooNewSchemaAndChangesNothing",
    "VERIFY_REPAIRS, verifyRefusesADatabaseWithoutSchemaAndChangesNothing",
    "VERIFY_IGNORES_WHAT_IS_MISSING, verifyRefusesAnIncompleteSchemaAndNamesWhatIsMissing",
    "VERIFY_DOES_NOT_NAME_WHAT_IS_MISSING, verifyRefusesAnIncompleteSchemaAndNamesWhatIsMissing",
    "MIGRATE_REPEATS_ITSELF, migratingTwiceChangesNothing",
    "MIGRATE_DOWNGRADES, migrateRefusesATooNewSchemaAndChangesNothing",
    "MIGRATE_TRUSTS_THE_HISTORY, migrateRefusesAHistoryWhoseStepWasChangedSince",
    "SCRIPT_FORGETS_THE_HISTORY, theScriptForAdministratorsDoesWhatMigrateDoes",
  })
  void aFlawTurnsTheRightTestRed(PaperSchema.Flaw flaw, String test) {
    List<String> red =
        run(flaw.name()).testEvents().failed().stream()
            .map(Event::getTestDescriptor)
            .map(descriptor -> descriptor.getDisplayName().replaceAll("\\(.*", ""))
            .toList();

    assertThat(red).contains(test);
  }

  private static EngineExecutionResults run(String flaws) {
    System.setProperty(FLAWS, flaws);
    try {
      return EngineTestKit.engine("junit-jupiter")
          .selectors(selectClass(migrationContract()))
          .configurationParameter(StoreTck.FIXTURE, PaperFixture.class.getName())
          .execute();
    } finally {
      System.clearProperty(FLAWS);
    }
  }

  private static Class<?> migrationContract() {
    return Contracts.ofOrderedStores().stream()
        .filter(contract -> contract.getSimpleName().equals("MigrationContract"))
        .findAny()
        .orElseThrow();
  }
}
