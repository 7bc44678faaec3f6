package io.postroad.postgres.internal.schema;

import io.postroad.postgres.PostgresOptions;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/** The rights that a role needs on what the steps created, as statements of their owner. */
public final class SchemaGrants {
  private static final int LONGEST_ROLE = 63;
  private static final Pattern NOT_IN_A_ROLE = Pattern.compile("[\\p{Cntrl}\"]");

  public static final String SEQUENCE = "outbox_log_pos";
  static final Set<String> VIEWS = Set.of("outbox_log", "outbox_position", "outbox");
  private static final Pattern INDEX = Pattern.compile(".*_(pkey|idx)");
  private static final Pattern LOG = Pattern.compile("outbox_log_\\d");

  private final PostgresOptions options;
  private final String role;

  public SchemaGrants(PostgresOptions options, String role) {
    this.options = options;
    this.role = quoted(role);
  }

  /** For a service that appends and relays. */
  public String toRelay() {
    StringBuilder script = begin("appends to the outbox, relays and purges it");
    grant(script, "SELECT", names(VIEWS::contains));
    grant(script, "SELECT, INSERT, UPDATE, DELETE", names(SchemaGrants::isTable));
    grant(script, "TRUNCATE", names(LOG.asMatchPredicate()));
    grantSequence(script, "SELECT, USAGE, UPDATE");
    return script.append("COMMIT;\n").toString();
  }

  /** For a service that only appends: it can neither read nor change what others appended. */
  public String toAppend() {
    StringBuilder script = begin("only appends to the outbox");
    grant(script, "INSERT", names(LOG.asMatchPredicate()));
    grant(script, "SELECT, INSERT, DELETE", List.of("outbox_queue", "outbox_scheduled"));
    grant(script, "SELECT, INSERT, UPDATE, DELETE", List.of("outbox_dedup"));
    grant(script, "SELECT", List.of("outbox_lane"));
    grantSequence(script, "USAGE");
    return script.append("COMMIT;\n").toString();
  }

  /** For a service that only receives. */
  public String toReceive() {
    StringBuilder script = begin("only receives");
    grant(script, "SELECT, INSERT, UPDATE, DELETE", List.of("inbox"));
    grant(script, "SELECT, INSERT, DELETE", List.of("inbox_waiting"));
    return script.append("COMMIT;\n").toString();
  }

  private StringBuilder begin(String what) {
    StringBuilder script = new StringBuilder();
    script
        .append("-- Rights of a role that ")
        .append(what)
        .append(". Run it as the owner of the tables,\n")
        .append("-- and again after each upgrade: psql -v ON_ERROR_STOP=1 -f FILE\n\n")
        .append("BEGIN;\n")
        .append("GRANT USAGE ON SCHEMA ")
        .append(SchemaScript.schemaName(options))
        .append(" TO ")
        .append(role)
        .append(";\n");
    grant(script, "SELECT", List.of(SchemaHistory.TABLE));
    return script;
  }

  private void grant(StringBuilder script, String rights, List<String> relations) {
    for (String relation : relations) {
      grantOn(script, rights, "TABLE", relation);
    }
  }

  private void grantSequence(StringBuilder script, String rights) {
    grantOn(script, rights, "SEQUENCE", SEQUENCE);
  }

  private void grantOn(StringBuilder script, String rights, String kind, String relation) {
    script.append(
        "GRANT %s ON %s %s TO %s;\n".formatted(rights, kind, options.qualified(relation), role));
  }

  private static List<String> names(Predicate<String> wanted) {
    return SchemaHistory.RELATIONS.stream().filter(wanted).toList();
  }

  private static boolean isTable(String relation) {
    return !VIEWS.contains(relation)
        && !relation.equals(SEQUENCE)
        && !INDEX.matcher(relation).matches();
  }

  private static String quoted(String role) {
    if (role.isBlank()
        || role.getBytes(StandardCharsets.UTF_8).length > LONGEST_ROLE
        || NOT_IN_A_ROLE.matcher(role).find()) {
      throw new IllegalArgumentException(
          "a role must be named with 1 to %d bytes without quotes and control characters, got '%s'"
              .formatted(LONGEST_ROLE, role));
    }
    return "\"" + role + "\"";
  }
}
