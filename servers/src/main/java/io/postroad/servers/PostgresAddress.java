package io.postroad.servers;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Properties;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Address and user of a PostgreSQL: the parts of a JDBC URL.
 *
 * @param server the part up to the slash before the database
 * @param parameters the part from the question mark on; may be empty
 */
record PostgresAddress(String server, String database, String parameters) {
  private static final int OLDEST_VERSION = 16;
  private static final Pattern URL = Pattern.compile("(jdbc:postgresql://[^/?]+)/([^?]+)(\\?.*)?");

  static PostgresAddress parse(String variable, String url) {
    Matcher parts = URL.matcher(url);
    if (!parts.matches()) {
      throw new ServerException(
          "%s does not look like jdbc:postgresql://host:port/database?user=name&password=word, which it must"
              .formatted(variable));
    }
    @Nullable String parameters = parts.group(3);
    return new PostgresAddress(
        parts.group(1), parts.group(2), parameters == null ? "" : parameters);
  }

  static PostgresAddress local(int port, String user) {
    return new PostgresAddress("jdbc:postgresql://127.0.0.1:" + port, user, "?user=" + user);
  }

  String url() {
    return server + "/" + database + parameters;
  }

  PostgresAddress withDatabase(String other) {
    return new PostgresAddress(server, other, parameters);
  }

  /** The value of a parameter such as {@code user}; empty if there is none. */
  String parameter(String name) {
    for (String parameter : parameters.replaceFirst("^\\?", "").split("&")) {
      if (parameter.startsWith(name + "=")) {
        return URLDecoder.decode(parameter.substring(name.length() + 1), StandardCharsets.UTF_8);
      }
    }
    return "";
  }

  boolean answers() {
    try (Connection connection = connect()) {
      return connection.isValid(5);
    } catch (SQLException notYet) {
      return false;
    }
  }

  /** Fails unless the server is one on which a commit survives a crash, and new enough. */
  void verify() {
    try (Connection connection = connect();
        Statement statement = connection.createStatement()) {
      for (String setting : new String[] {"fsync", "synchronous_commit"}) {
        String value = show(statement, setting);
        if (!value.equals("on")) {
          throw new ServerException(
              "PostgreSQL at %s has %s = %s, must be on: without it our tests would prove nothing"
                  .formatted(server, setting, value));
        }
      }
      int version = Integer.parseInt(show(statement, "server_version_num")) / 10_000;
      if (version < OLDEST_VERSION) {
        throw new ServerException(
            "PostgreSQL at %s is version %d, must be %d or later"
                .formatted(server, version, OLDEST_VERSION));
      }
    } catch (SQLException e) {
      throw new ServerException(
          "PostgreSQL at %s does not answer: %s".formatted(server, e.getMessage()), e);
    }
  }

  /** Connects with bounds: a stranger on the port might accept and then say nothing. */
  private Connection connect() throws SQLException {
    Properties bounds = new Properties();
    bounds.setProperty("loginTimeout", "10");
    bounds.setProperty("socketTimeout", "60");
    return DriverManager.getConnection(url(), bounds);
  }

  private static String show(Statement statement, String setting) throws SQLException {
    try (ResultSet row = statement.executeQuery("SHOW " + setting)) {
      row.next();
      return row.getString(1);
    }
  }

  void execute(String sql) throws SQLException {
    try (Connection connection = connect();
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }
}
