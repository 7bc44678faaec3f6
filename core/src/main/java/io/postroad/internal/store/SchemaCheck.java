package io.postroad.internal.store;

import io.postroad.schema.SchemaException;
import java.util.List;
import java.util.Objects;
import java.util.SortedMap;

/**
 * Decides whether this library can work with an installed schema.
 *
 * @param steps all files, in the order of their versions
 * @param parts the word for the parts of the schema, for example {@code tables}
 * @param place where they are, for example {@code schema "public"}
 * @param type the class with {@code script()}
 * @param remedy the end of a text that says how to install them
 */
public record SchemaCheck(
    List<SchemaFile> steps, String parts, String place, String type, String remedy) {

  /** Returns the version that this library needs. */
  public int requiredVersion() {
    return steps.get(steps.size() - 1).version();
  }

  /** Returns the version that is installed; 0 for none. */
  public static int latest(SortedMap<Integer, String> applied) {
    return applied.isEmpty() ? 0 : Objects.requireNonNull(applied.lastKey());
  }

  /**
   * Returns the version that is installed, if this library can go on from it.
   *
   * @param applied checksums by version
   */
  public int checkedVersion(SortedMap<Integer, String> applied) {
    int installed = latest(applied);
    if (installed > requiredVersion()) {
      throw refused(
          "Postroad's %s in %s are too new: the database is at version %d, this library knows %d;"
                  .formatted(parts, place, installed, requiredVersion())
              + " upgrade the library",
          installed);
    }
    for (SchemaFile step : steps) {
      String checksum = applied.getOrDefault(step.version(), step.checksum());
      if (!checksum.equals(step.checksum())) {
        throw refused(
            "step %s in %s was applied with another text (checksum %s, this library has %s);"
                    .formatted(step.file(), place, brief(checksum), brief(step.checksum()))
                + " use the library that applied it, or compare the %s with %s.script() and"
                    .formatted(parts, type)
                + " correct the checksum",
            installed);
      }
    }
    return installed;
  }

  /** Refuses a schema that is missing or too old. */
  public void requireCurrent(int installed) {
    if (installed == 0) {
      throw refused(
          "Postroad's %s are missing in %s (needs version %d, found none)"
                  .formatted(parts, place, requiredVersion())
              + remedy,
          installed);
    }
    if (installed < requiredVersion()) {
      throw refused(
          "Postroad's %s in %s are too old (needs version %d, found %d)"
                  .formatted(parts, place, requiredVersion(), installed)
              + remedy,
          installed);
    }
  }

  /** Refuses a schema that lacks some of its parts. */
  public void requireComplete(int installed, List<String> missing) {
    if (!missing.isEmpty()) {
      throw refused(
          "Postroad's %s in %s are at version %d but incomplete, missing: %s; create them again as"
                  .formatted(parts, place, installed, String.join(", ", missing))
              + " %s.script() does".formatted(type),
          installed);
    }
  }

  /** Returns the error for a schema that does not fit. */
  public SchemaException refused(String text, int installed) {
    return new SchemaException(text, requiredVersion(), installed);
  }

  private static String brief(String checksum) {
    return checksum.substring(0, Math.min(12, checksum.length()));
  }
}
