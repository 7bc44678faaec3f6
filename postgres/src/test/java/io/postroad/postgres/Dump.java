package io.postroad.postgres;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.postgresql.PGConnection;
import org.postgresql.copy.CopyManager;

/**
 * A copy of all rows and sequences of a database, as pg_dump makes it: one snapshot for all tables,
 * sequences as they are when it comes to them, unlogged tables too.
 *
 * <p>The server that tests run on comes without pg_dump. Set {@code POSTGRES_CLIENT} to a directory
 * with pg_dump and pg_restore of at least the server's version, and these make the copy.
 */
final class Dump {
  private static final String TABLES =
      "SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'r'"
          + " AND relname <> 'test_clock' ORDER BY relname";

  private final Map<String, byte[]> tables = new LinkedHashMap<>();
  private String sequence = "";
  private byte[] archive = {};

  private Dump() {}

  static Dump of(String url) throws Exception {
    Dump dump = new Dump();
    String client = System.getenv("POSTGRES_CLIENT");
    if (client != null) {
      Path file = Files.createTempFile("dump", ".custom");
      run(client + "/pg_dump", "--format=custom", "--file=" + file, "--dbname=" + libpq(url));
      dump.archive = Files.readAllBytes(file);
      Files.delete(file);
      return dump;
    }
    try (Connection connection = DriverManager.getConnection(url);
        Statement statement = connection.createStatement()) {
      connection.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
      connection.setAutoCommit(false);
      CopyManager copies = connection.unwrap(PGConnection.class).getCopyAPI();
      for (String table : names(statement)) {
        ByteArrayOutputStream rows = new ByteArrayOutputStream();
        copies.copyOut("COPY public." + table + " TO STDOUT", rows);
        dump.tables.put(table, rows.toByteArray());
      }
      try (ResultSet row =
          statement.executeQuery("SELECT last_value, is_called FROM public.outbox_log_pos")) {
        row.next();
        dump.sequence = row.getLong(1) + ", " + row.getBoolean(2);
      }
      connection.rollback();
    }
    return dump;
  }

  /** Fills an empty database. */
  void restoreInto(String url, PostgresOptions options) throws Exception {
    if (archive.length > 0) {
      Path file = Files.createTempFile("dump", ".custom");
      Files.write(file, archive);
      run(
          System.getenv("POSTGRES_CLIENT") + "/pg_restore",
          "--dbname=" + libpq(url),
          file.toString());
      Files.delete(file);
      return;
    }
    org.postgresql.ds.PGSimpleDataSource target = new org.postgresql.ds.PGSimpleDataSource();
    target.setUrl(url);
    new PostgresSchema(target, options).migrate();
    restoreRowsInto(url);
  }

  /** Replaces the rows of a database that has the tables. */
  void restoreRowsInto(String url) throws SQLException, IOException {
    try (Connection connection = DriverManager.getConnection(url);
        Statement statement = connection.createStatement()) {
      connection.setAutoCommit(false);
      CopyManager copies = connection.unwrap(PGConnection.class).getCopyAPI();
      statement.execute("TRUNCATE public." + String.join(", public.", tables.keySet()));
      for (Map.Entry<String, byte[]> table : tables.entrySet()) {
        copies.copyIn(
            "COPY public." + table.getKey() + " FROM STDIN",
            new ByteArrayInputStream(table.getValue()));
      }
      statement.execute("SELECT setval('public.outbox_log_pos', %s)".formatted(sequence));
      connection.commit();
    }
  }

  private static List<String> names(Statement statement) throws SQLException {
    List<String> names = new ArrayList<>();
    try (ResultSet row = statement.executeQuery(TABLES)) {
      while (row.next()) {
        names.add(row.getString(1));
      }
    }
    return names;
  }

  private static String libpq(String url) {
    return url.replaceFirst("^jdbc:", "");
  }

  private static void run(String... command) throws IOException, InterruptedException {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String said =
        new String(
            process.getInputStream().readAllBytes(), java.nio.charset.StandardCharsets.UTF_8);
    if (process.waitFor() != 0) {
      throw new IOException(String.join(" ", command) + ": " + said);
    }
  }
}
