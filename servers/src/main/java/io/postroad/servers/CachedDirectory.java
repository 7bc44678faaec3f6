package io.postroad.servers;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Comparator;
import java.util.stream.Stream;

/**
 * A directory that is expensive to fill and the same every time, kept from one JVM to the next.
 *
 * <p>Filled under another name and renamed, so that it is complete or absent whenever a JVM dies; a
 * file lock lets one JVM fill it while others wait, and the next one clears up after a dead one.
 */
final class CachedDirectory {
  private static final Object ONE_THREAD = new Object();

  private CachedDirectory() {}

  interface Filler {
    void fill(Path directory) throws IOException;
  }

  /** Returns the directory {@code name} in the cache, filled. */
  static Path get(Path cache, String name, Filler filler) {
    Path target = cache.resolve(name);
    if (Files.isDirectory(target)) {
      return target;
    }
    try {
      Files.createDirectories(cache);
      Path lockFile = cache.resolve(name + ".lock");
      // File locks belong to the JVM, so threads of one JVM need a lock of their own.
      synchronized (ONE_THREAD) {
        try (FileChannel channel =
                FileChannel.open(lockFile, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
            FileLock unused = channel.lock()) {
          if (!Files.isDirectory(target)) {
            Path partial = cache.resolve(name + ".partial");
            delete(partial);
            Files.createDirectory(partial);
            filler.fill(partial);
            Files.move(partial, target, StandardCopyOption.ATOMIC_MOVE);
          }
        }
      }
      return target;
    } catch (IOException e) {
      throw new ServerException(
          "cannot fill the cache %s: %s; is the disk full? else set XDG_CACHE_HOME to a directory that can be written"
              .formatted(target, e),
          e);
    }
  }

  private static void delete(Path directory) throws IOException {
    if (Files.exists(directory)) {
      try (Stream<Path> files = Files.walk(directory)) {
        for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
          Files.delete(file);
        }
      }
    }
  }
}
