package io.postroad.internal.store;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A numbered file of a schema. Files are never changed once they are released.
 *
 * @param text lines end with a line feed, without trailing blanks, so that the checksum does not
 *     depend on how a file was checked out
 */
public record SchemaFile(int version, String file, String text) {

  /** Returns the SHA-256 of the text. */
  public String checksum() {
    try {
      MessageDigest sha = MessageDigest.getInstance("SHA-256");
      return HexFormat.of().formatHex(sha.digest(text.getBytes(StandardCharsets.UTF_8)));
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException("every Java has SHA-256", impossible);
    }
  }

  /** Returns a text with the line ends and blanks that {@link #text} has. */
  public static String normalised(String raw) {
    return raw.lines().map(String::stripTrailing).collect(Collectors.joining("\n", "", "\n"));
  }

  /**
   * Reads a file from a jar.
   *
   * @param jar a class of that jar
   * @param folder an absolute path that ends with a slash
   */
  public static SchemaFile load(Class<?> jar, String folder, int version, String file) {
    try (@Nullable InputStream in = jar.getResourceAsStream(folder + file)) {
      if (in == null) {
        throw new IllegalStateException("the jar of %s lacks %s%s".formatted(jar, folder, file));
      }
      String raw = new String(in.readAllBytes(), StandardCharsets.UTF_8);
      return new SchemaFile(version, file, normalised(raw));
    } catch (IOException failed) {
      throw new UncheckedIOException(
          "cannot read %s%s from the jar".formatted(folder, file), failed);
    }
  }
}
