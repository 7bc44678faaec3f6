package io.postroad.servers;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;

/**
 * Unpacks a tar archive of files, directories and symbolic links.
 *
 * <p>Our own because a library for it brings three more to the class path of every module that
 * tests with a server. Does what the archives of PostgreSQL need, and refuses anything else.
 */
final class TarArchive {
  private static final int BLOCK = 512;

  private TarArchive() {}

  /** The fields of a header block that matter here. */
  private record Header(String name, boolean executable, long size, char type, String link) {
    static Header of(byte[] block) {
      String prefix = text(block, 345, 155);
      String name = text(block, 0, 100);
      return new Header(
          prefix.isEmpty() ? name : prefix + "/" + name,
          (octal(block, 100, 8) & 0100) != 0,
          octal(block, 124, 12),
          (char) block[156],
          text(block, 157, 100));
    }

    private static String text(byte[] block, int from, int length) {
      int end = from;
      while (end < from + length && block[end] != 0) {
        end++;
      }
      return new String(block, from, end - from, StandardCharsets.UTF_8);
    }

    private static long octal(byte[] block, int from, int length) {
      String digits = text(block, from, length).strip();
      return digits.isEmpty() ? 0 : Long.parseLong(digits, 8);
    }
  }

  static void unpack(InputStream tar, Path directory) throws IOException {
    byte[] block = new byte[BLOCK];
    while (tar.readNBytes(block, 0, BLOCK) == BLOCK && block[0] != 0) {
      Header header = Header.of(block);
      Path file = directory.resolve(header.name()).normalize();
      if (!file.startsWith(directory)) {
        throw new IOException("archive entry leaves its directory: " + header.name());
      }
      unpack(header, tar, file);
    }
  }

  private static void unpack(Header header, InputStream tar, Path file) throws IOException {
    // A directory may come after its files, or not at all.
    Files.createDirectories(file.resolveSibling("."));
    switch (header.type()) {
      case '5' -> Files.createDirectories(file);
      case '2' -> Files.createSymbolicLink(file, Path.of(header.link()));
      case '0', 0 -> {
        try (OutputStream out = Files.newOutputStream(file)) {
          copy(tar, out, header.size());
        }
        tar.skipNBytes((BLOCK - header.size() % BLOCK) % BLOCK);
        Files.setPosixFilePermissions(
            file, PosixFilePermissions.fromString(header.executable() ? "rwxr-xr-x" : "rw-r--r--"));
      }
      default ->
          throw new IOException(
              "archive entry %s is of type %s, which is neither a file nor a directory nor a symbolic link"
                  .formatted(header.name(), header.type()));
    }
  }

  private static void copy(InputStream in, OutputStream out, long size) throws IOException {
    byte[] buffer = new byte[64 * 1024];
    long left = size;
    while (left > 0) {
      int read = in.read(buffer, 0, (int) Math.min(left, buffer.length));
      if (read < 0) {
        throw new EOFException("archive ends inside a file, " + left + " bytes early");
      }
      out.write(buffer, 0, read);
      left -= read;
    }
  }
}
