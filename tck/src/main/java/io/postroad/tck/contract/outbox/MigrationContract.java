package io.postroad.tck.contract.outbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.postroad.schema.SchemaException;
import io.postroad.schema.SchemaMode;
import io.postroad.schema.StoreSchema;
import io.postroad.tck.SchemaFixture;
import io.postroad.tck.StoreContract;
import io.postroad.tck.StoreUnderTest;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** How a store's schema comes into a database and how it is checked. */
@StoreContract
public final class MigrationContract {

  @Test
  void aFreshDatabaseHasVersionZero(StoreUnderTest tck) throws Exception {
    SchemaFixture database = tck.freshSchema();

    assertThat(database.schema().installedVersion()).isZero();
    assertThat(database.schema().requiredVersion()).isPositive();
  }

  @Test
  void migrateBringsAFreshDatabaseToTheRequiredVersion(StoreUnderTest tck) throws Exception {
    SchemaFixture database = tck.freshSchema();
    StoreSchema schema = database.schema();

    schema.migrate();

    assertThat(schema.installedVersion()).isEqualTo(schema.requiredVersion());
    schema.verify();
    database.schema().verify();
  }

  @Test
  void migratingTwiceChangesNothing(StoreUnderTest tck) throws Exception {
    SchemaFixture database = tck.freshSchema();
    database.schema().migrate();
    String before = database.snapshot();

    database.schema().migrate();

    assertThat(database.snapshot()).isEqualTo(before);
  }

  @Test
  void manyNodesMayMigrateAtOnce(StoreUnderTest tck) throws Exception {
    SchemaFixture database = tck.freshSchema();
    CyclicBarrier together = new CyclicBarrier(6);

    List<Integer> versions =
        tck.together(
            6,
            () -> {
              StoreSchema node = database.schema();
              together.await(60, TimeUnit.SECONDS);
              node.migrate();
              return node.installedVersion();
            });

    assertThat(versions).containsOnly(database.schema().requiredVersion());
    database.schema().verify();
  }

  @Test
  void verifyRefusesADatabaseWithoutSchemaAndChangesNothing(StoreUnderTest tck) throws Exception {
    SchemaFixture database = tck.freshSchema();

    SchemaException refused = assertVerifyRefusesAndChangesNothing(database);

    assertThat(refused.installedVersion()).isZero();
    assertThat(database.schema().installedVersion()).isZero();
  }

  @Test
  void verifyRefusesATooNewSchemaAndChangesNothing(StoreUnderTest tck) throws Exception {
    SchemaFixture database = migrated(tck);
    int tooNew = database.schema().requiredVersion() + 1;
    database.pretendInstalled(tooNew);

    SchemaException refused = assertVerifyRefusesAndChangesNothing(database);

    assertThat(refused.installedVersion()).isEqualTo(tooNew);
    assertThat(refused).hasMessageContaining(String.valueOf(tooNew));
  }

  @Test
  void migrateRefusesATooNewSchemaAndChangesNothing(StoreUnderTest tck) throws Exception {
    SchemaFixture database = migrated(tck);
    StoreSchema schema = database.schema();
    database.pretendInstalled(schema.requiredVersion() + 1);
    String before = database.snapshot();

    assertThatThrownBy(schema::migrate).isInstanceOf(SchemaException.class);

    assertThat(database.snapshot()).isEqualTo(before);
  }

  /** With a first version nothing is older but a database that has none. */
  @Test
  void verifyRefusesATooOldSchemaAndChangesNothing(StoreUnderTest tck) throws Exception {
    SchemaFixture database = migrated(tck);
    int tooOld = database.schema().requiredVersion() - 1;
    database.pretendInstalled(tooOld);

    SchemaException refused = assertVerifyRefusesAndChangesNothing(database);

    assertThat(refused.installedVersion()).isEqualTo(tooOld);
  }

  @Test
  void verifyRefusesAnIncompleteSchemaAndNamesWhatIsMissing(StoreUnderTest tck) throws Exception {
    SchemaFixture database = migrated(tck);
    String removed = database.removeOne();

    assertThat(assertVerifyRefusesAndChangesNothing(database)).hasMessageContaining(removed);
  }

  @Test
  void migrateRefusesAHistoryWhoseStepWasChangedSince(StoreUnderTest tck) throws Exception {
    SchemaFixture database = migrated(tck);
    database.changeAppliedStep();
    String before = database.snapshot();

    assertThatThrownBy(() -> database.schema().migrate()).isInstanceOf(SchemaException.class);

    assertThat(database.snapshot()).isEqualTo(before);
  }

  @Test
  void theScriptForAdministratorsDoesWhatMigrateDoes(StoreUnderTest tck) throws Exception {
    SchemaFixture database = tck.freshSchema();
    StoreSchema schema = database.schema();

    database.runScript(schema.script());

    schema.verify();
    assertThat(schema.installedVersion()).isEqualTo(schema.requiredVersion());
    String before = database.snapshot();
    schema.migrate();
    assertThat(database.snapshot()).as("nothing is left for migrate to do").isEqualTo(before);
  }

  @Test
  void theModesDoWhatTheySay(StoreUnderTest tck) throws Exception {
    SchemaFixture database = tck.freshSchema();

    SchemaMode.NONE.apply(database.schema());
    assertThat(database.schema().installedVersion()).isZero();
    assertThatThrownBy(() -> SchemaMode.VERIFY.apply(database.schema()))
        .isInstanceOf(SchemaException.class);
    SchemaMode.MIGRATE.apply(database.schema());
    SchemaMode.VERIFY.apply(database.schema());
  }

  private static SchemaFixture migrated(StoreUnderTest tck) throws Exception {
    SchemaFixture database = tck.freshSchema();
    database.schema().migrate();
    return database;
  }

  private static SchemaException assertVerifyRefusesAndChangesNothing(SchemaFixture database)
      throws Exception {
    StoreSchema schema = database.schema();
    String before = database.snapshot();

    SchemaException refused = catchThrowableOfType(SchemaException.class, schema::verify);

    assertThat(refused).as("verify must refuse").isNotNull();
    assertThat(refused.requiredVersion()).isEqualTo(schema.requiredVersion());
    assertThat(database.snapshot()).isEqualTo(before);
    return refused;
  }
}
