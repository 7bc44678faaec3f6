package io.postroad.servers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** User that runs PostgreSQL, which refuses to be run by root. */
enum RunAs {
  /** The user of this JVM, which is not root. */
  OURSELVES(""),
  /** Root outside, user "nobody" inside a user namespace of its own; root owns the files. */
  NAMESPACE("unshare -U"),
  /** The user "nobody", which must own the files and be able to reach them. */
  NOBODY("setpriv --reuid=65534 --regid=65534 --clear-groups");

  private static final int NOBODY_ID = 65534;

  private final String prefix;

  RunAs(String prefix) {
    this.prefix = prefix;
  }

  /** The way that works on this machine. */
  static RunAs detect() {
    if (uid(Path.of("/proc/self")) != 0) {
      return OURSELVES;
    }
    for (RunAs way : List.of(NAMESPACE, NOBODY)) {
      if (Commands.works(way.command(List.of("true")))) {
        return way;
      }
    }
    throw new ServerException(
        "cannot start PostgreSQL: it refuses to run as root, and neither 'unshare -U' nor 'setpriv"
            + " --reuid' works here; run as another user, install util-linux, or set POSTGRES_URL");
  }

  List<String> command(List<String> command) {
    List<String> all = new ArrayList<>(prefix.isEmpty() ? List.of() : List.of(prefix.split(" ")));
    all.addAll(command);
    return all;
  }

  /** Gives a directory of ours to the user that runs PostgreSQL. */
  void own(Path directory) {
    if (this == NOBODY) {
      try {
        Files.setAttribute(directory, "unix:uid", NOBODY_ID);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  /** Returns the directory of files that outlive a JVM, readable by the user of PostgreSQL. */
  Path cache() {
    if (this == NOBODY) {
      // The user "nobody" cannot read root's home.
      return requireOurs(Path.of(System.getProperty("java.io.tmpdir"), "postroad-cache"));
    }
    String xdg = System.getenv("XDG_CACHE_HOME");
    return xdg == null || xdg.isBlank()
        ? Path.of(System.getProperty("user.home"), ".cache", "postroad")
        : Path.of(xdg, "postroad");
  }

  private static Path requireOurs(Path cache) {
    if (Files.exists(cache) && uid(cache) != 0) {
      throw new ServerException(
          "refused to run PostgreSQL from the cache %s: it belongs to uid %d, not to root; remove it"
              .formatted(cache, uid(cache)));
    }
    return cache;
  }

  static int uid(Path file) {
    try {
      return (int) Files.getAttribute(file, "unix:uid");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
