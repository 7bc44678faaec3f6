package io.postroad.internal.loop;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Makes the names of nodes that the application does not name. A name holds the host, the process
 * id and a part that is drawn at random once per start of a JVM. The process id alone is the same
 * in every container, and the host alone is the same after a restart.
 */
public final class NodeName {
  /** The number of characters of the host's name that are kept; names of pods differ at the end. */
  private static final int HOST = 30;

  private static final String OF_THIS_START =
      "%s-%d-%s"
          .formatted(
              end(host()),
              ProcessHandle.current().pid(),
              UUID.randomUUID().toString().substring(0, 8));

  private NodeName() {}

  /** Returns a name that no other start of a JVM has, at most 60 characters for a short role. */
  public static String of(String role) {
    return role + "-" + OF_THIS_START;
  }

  private static String host() {
    @Nullable String given = System.getenv("HOSTNAME");
    if (given != null && !given.isBlank()) {
      return given.strip();
    }
    try {
      return InetAddress.getLocalHost().getHostName();
    } catch (UnknownHostException nameless) {
      return "localhost";
    }
  }

  private static String end(String host) {
    return host.length() <= HOST ? host : host.substring(host.length() - HOST);
  }
}
