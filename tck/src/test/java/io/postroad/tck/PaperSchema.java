package io.postroad.tck;

import io.postroad.schema.SchemaException;
import io.postroad.schema.StoreSchema;
import java.util.EnumSet;
import java.util.Set;
import java.util.TreeSet;

/** A schema on paper: tables are names, and each version adds one. To try the contract itself. */
final class PaperSchema implements SchemaFixture, StoreSchema {
  /** What a schema can get wrong. */
  enum Flaw {
    VERIFY_IS_BLIND,
    VERIFY_REPAIRS,
    VERIFY_IGNORES_WHAT_IS_MISSING,
    VERIFY_DOES_NOT_NAME_WHAT_IS_MISSING,
    MIGRATE_REPEATS_ITSELF,
    MIGRATE_DOWNGRADES,
    MIGRATE_TRUSTS_THE_HISTORY,
    SCRIPT_FORGETS_THE_HISTORY
  }

  private static final int REQUIRED = 2;

  private final Set<Flaw> flaws = EnumSet.noneOf(Flaw.class);
  private final Set<String> tables = new TreeSet<>();
  private int installed;
  private int runs;
  private boolean changed;

  PaperSchema(Set<Flaw> flaws) {
    this.flaws.addAll(flaws);
  }

  @Override
  public StoreSchema schema() {
    return this;
  }

  @Override
  public int requiredVersion() {
    return REQUIRED;
  }

  @Override
  public synchronized int installedVersion() {
    return installed;
  }

  @Override
  public synchronized void migrate() {
    if (changed && !flaws.contains(Flaw.MIGRATE_TRUSTS_THE_HISTORY)) {
      throw refused("step " + installed + " was changed since it was applied");
    }
    if (installed > REQUIRED && !flaws.contains(Flaw.MIGRATE_DOWNGRADES)) {
      throw refused("version " + installed + " is newer than this library");
    }
    if (installed == REQUIRED && !flaws.contains(Flaw.MIGRATE_REPEATS_ITSELF)) {
      return;
    }
    runs++;
    for (int version = 1; version <= REQUIRED; version++) {
      tables.add("table_" + version);
    }
    installed = REQUIRED;
  }

  @Override
  public synchronized void verify() {
    if (flaws.contains(Flaw.VERIFY_REPAIRS)) {
      migrate();
    }
    if (flaws.contains(Flaw.VERIFY_IS_BLIND)) {
      return;
    }
    if (installed != REQUIRED) {
      throw refused("version " + installed + " is installed");
    }
    for (int version = 1; version <= REQUIRED; version++) {
      boolean missing = !tables.contains("table_" + version);
      if (missing && !flaws.contains(Flaw.VERIFY_IGNORES_WHAT_IS_MISSING)) {
        throw refused(
            flaws.contains(Flaw.VERIFY_DOES_NOT_NAME_WHAT_IS_MISSING)
                ? "something is missing"
                : "table_" + version + " is missing");
      }
    }
  }

  private SchemaException refused(String why) {
    return new SchemaException(why, REQUIRED, installed);
  }

  @Override
  public String script() {
    return flaws.contains(Flaw.SCRIPT_FORGETS_THE_HISTORY) ? "tables" : "tables and history";
  }

  @Override
  public synchronized void runScript(String script) {
    migrate();
    if (!script.endsWith("history")) {
      installed = 0;
    }
  }

  @Override
  public synchronized void pretendInstalled(int version) {
    installed = version;
  }

  @Override
  public synchronized void changeAppliedStep() {
    changed = true;
  }

  @Override
  public synchronized String removeOne() {
    tables.remove("table_1");
    return "table_1";
  }

  @Override
  public synchronized String snapshot() {
    return tables + " version " + installed + " after " + runs + " migrations";
  }

  @Override
  public void close() {}
}
