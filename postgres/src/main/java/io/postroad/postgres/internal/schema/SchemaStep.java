package io.postroad.postgres.internal.schema;

import io.postroad.postgres.PostgresOptions;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * One numbered file of the schema. Files are never changed once released; their names and the
 * placeholders {@code ${prefix}} and {@code ${lanes}} are what Flyway expects too.
 *
 * @param text lines end with a line feed, without trailing blanks, so that the checksum does not
 *     depend on how a file was checked out
 */
public record SchemaStep(int version, String file, String text) {
  public static final List<SchemaStep> ALL =
      List.of(load(1, "V1__baseline.sql"), load(2, "V2__process_manager.sql"));

  public String checksum() {
    try {
      MessageDigest sha = MessageDigest.getInstance("SHA-256");
      return HexFormat.of().formatHex(sha.digest(text.getBytes(StandardCharsets.UTF_8)));
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException("every Java has SHA-256", impossible);
    }
  }

  public String sql(PostgresOptions options) {
    return text.replace("${prefix}", options.prefix())
        .replace("${lanes}", Integer.toString(options.lanes()));
  }

  static String normalised(String raw) {
    return raw.lines().map(String::stripTrailing).collect(Collectors.joining("\n", "", "\n"));
  }

  private static SchemaStep load(int version, String file) {
    try (@Nullable InputStream in =
        SchemaStep.class.getResourceAsStream("/io/postroad/postgres/schema/" + file)) {
      if (in == null) {
        throw new IllegalStateException("the jar of postroad-postgres lacks schema/" + file);
      }
      String raw = new String(in.readAllBytes(), StandardCharsets.UTF_8);
      return new SchemaStep(version, file, normalised(raw));
    } catch (IOException failed) {
      throw new UncheckedIOException("cannot read schema/" + file + " from the jar", failed);
    }
  }
}
