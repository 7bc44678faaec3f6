package io.postroad.servers;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The machine's processes, as {@code /proc} shows them.
 *
 * <p>Not {@link ProcessHandle}: it calls a zombie alive, and where process 1 does not reap (many
 * containers) a killed backend of PostgreSQL stays one for ever.
 */
final class ProcessTable {
  private static final Path PROC = Path.of("/proc");

  private ProcessTable() {}

  /** One process; {@code state} is the letter of proc(5). */
  record Entry(long pid, long parent, char state) {
    boolean isGone() {
      return state == 'Z' || state == 'X' || state == 'x';
    }

    boolean isSuspended() {
      return state == 'T' || isGone();
    }
  }

  static Optional<Entry> find(long pid) {
    try {
      String stat = Files.readString(PROC.resolve(pid + "/stat"));
      // The command's name is in parentheses and may itself contain any character.
      String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", 3);
      return Optional.of(new Entry(pid, Long.parseLong(fields[1]), fields[0].charAt(0)));
    } catch (IOException ended) {
      return Optional.empty();
    }
  }

  static boolean isGone(long pid) {
    return find(pid).map(Entry::isGone).orElse(true);
  }

  static boolean isSuspended(long pid) {
    return find(pid).map(Entry::isSuspended).orElse(true);
  }

  /** The process and everything below it. */
  static Set<Long> tree(long root) {
    Map<Long, Entry> all = all();
    Set<Long> members = new LinkedHashSet<>();
    members.add(root);
    int before;
    do {
      before = members.size();
      for (Entry entry : all.values()) {
        if (members.contains(entry.parent())) {
          members.add(entry.pid());
        }
      }
    } while (members.size() > before);
    return members;
  }

  private static Map<Long, Entry> all() {
    Map<Long, Entry> all = new HashMap<>();
    try (DirectoryStream<Path> directories = Files.newDirectoryStream(PROC, "[0-9]*")) {
      for (Path directory : directories) {
        long pid = Long.parseLong(directory.getFileName().toString());
        find(pid).ifPresent(entry -> all.put(pid, entry));
      }
    } catch (IOException e) {
      throw new ServerException(
          "cannot list the processes in /proc; this module needs Linux with /proc mounted", e);
    }
    return all;
  }
}
