package io.postroad.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Plans of statements as they are sent, and what is wanted of them. */
public final class Plans {
  /** An index of a plan, and what else the plan says about its scan. */
  private static final Pattern INDEX =
      Pattern.compile("\"Index Name\": \"(\\w+)\"(.*?)[{}]", Pattern.DOTALL);

  private Plans() {}

  public static Consumer<String> onlyOn(String... indexes) {
    return plan -> {
      assertThat(plan).doesNotContain("\"Sort\"").satisfies(usesOnly(indexes));
    };
  }

  public static Consumer<String> usesOnly(String... indexes) {
    return plan -> {
      assertThat(plan).doesNotContain("\"Seq Scan\"");
      Set<String> used = new TreeSet<>();
      Matcher index = INDEX.matcher(plan);
      while (index.find()) {
        used.add(index.group(1));
        if (index.group(1).endsWith("_pkey")) {
          assertThat(index.group(2)).as("looks up, does not read the whole of it").contains("Cond");
        }
      }
      assertThat(used).as(plan).containsExactlyInAnyOrder(indexes);
    };
  }

  /** The plan of a statement after its line of settings. */
  public static String explain(
      String how,
      TestDatabase database,
      String planning,
      String text,
      String types,
      String arguments)
      throws SQLException {
    String[] settingsAndStatement = text.split(";", 2);
    try (Connection connection = database.pool().getConnection();
        Statement statement = connection.createStatement()) {
      connection.setAutoCommit(false);
      statement.execute("SET LOCAL plan_cache_mode = " + planning);
      statement.execute(settingsAndStatement[0]);
      statement.execute("PREPARE p" + types + " AS " + numbered(settingsAndStatement[1]));
      String execute = "EXECUTE p" + (arguments.isEmpty() ? "" : "(" + arguments + ")");
      try (ResultSet row =
          statement.executeQuery("EXPLAIN (%sFORMAT JSON) ".formatted(how) + execute)) {
        row.next();
        return row.getString(1);
      } finally {
        connection.rollback();
        statement.execute("DEALLOCATE p");
        connection.commit();
      }
    }
  }

  private static String numbered(String statement) {
    List<String> parts = new ArrayList<>(List.of(statement.split("\\?", -1)));
    StringBuilder numbered = new StringBuilder(parts.remove(0));
    int parameter = 0;
    for (String part : parts) {
      parameter++;
      numbered.append('$').append(parameter).append(part);
    }
    return numbered.toString();
  }
}
