package io.postroad.servers;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * A child JVM that starts PostgreSQL and a further child JVM, freezes both, says what it started,
 * and then waits to be killed or to be told to leave without cleaning up.
 */
final class StarterMain {
  private StarterMain() {}

  public static void main(String[] args) throws Exception {
    PostgresServer server = PostgresServer.local(ServerOptions.defaults(), RunAs.detect());
    server.start();
    ChildJvm child = ChildJvm.start(EchoMain.class, "0");
    Path data = Path.of(PostgresServerTest.query(server.jdbcUrl(), "SHOW data_directory"));
    long postmaster = Long.parseLong(Files.readAllLines(data.resolve("postmaster.pid")).get(0));
    server.freeze();
    child.freeze();

    Set<Long> pids = new LinkedHashSet<>(ProcessTable.tree(postmaster));
    pids.add(child.pid());
    // The session that was closed a moment ago may be waiting for its frozen parent to notice.
    pids.removeIf(ProcessTable::isGone);
    System.out.println("home " + data.getParent());
    System.out.println(
        "pids " + pids.stream().map(String::valueOf).collect(Collectors.joining(" ")));
    System.in.read();
    System.exit(0);
  }
}
