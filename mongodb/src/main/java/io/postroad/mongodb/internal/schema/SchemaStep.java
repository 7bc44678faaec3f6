package io.postroad.mongodb.internal.schema;

import io.postroad.mongodb.MongoOptions;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.bson.BsonDocument;
import org.jspecify.annotations.Nullable;

/**
 * One numbered file of the schema: commands for mongosh whose arguments are plain JSON. Files are
 * never changed once released. Every command may be run again, so that a step that was interrupted
 * is simply repeated. A command that mentions {@code ${lane}} is there once for each lane.
 *
 * @param text lines end with a line feed, without trailing blanks, so that the checksum does not
 *     depend on how a file was checked out
 */
public record SchemaStep(int version, String file, String text) {
  public static final List<SchemaStep> ALL =
      List.of(load(1, "V1__baseline.js"), load(2, "V2__inbox.js"), load(3, "V3__processes.js"));

  /** Only where {@link MongoOptions#streams} asks for it, at any version. */
  public static final SchemaStep STREAMS = load(0, "streams.js");

  private static final Pattern COMMAND =
      Pattern.compile("^db\\.runCommand\\((\\{.*?\\})\\);$", Pattern.DOTALL | Pattern.MULTILINE);

  public String checksum() {
    try {
      MessageDigest sha = MessageDigest.getInstance("SHA-256");
      return HexFormat.of().formatHex(sha.digest(text.getBytes(StandardCharsets.UTF_8)));
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException("every Java has SHA-256", impossible);
    }
  }

  /** The text for these options, to be run by mongosh. */
  public String script(MongoOptions options) {
    return Stream.of(text.split("\n\n"))
        .flatMap(paragraph -> forEachLane(paragraph, options.lanes()))
        .map(paragraph -> paragraph.strip() + "\n")
        .collect(Collectors.joining("\n"))
        .replace("${prefix}", options.prefix());
  }

  private static Stream<String> forEachLane(String paragraph, int lanes) {
    return paragraph.contains("${lane}")
        ? IntStream.range(0, lanes)
            .mapToObj(lane -> paragraph.replace("${lane}", Integer.toString(lane)))
        : Stream.of(paragraph);
  }

  /** The commands of a script, in order. */
  public static List<BsonDocument> commands(String script) {
    Matcher commands = COMMAND.matcher(script);
    return commands.results().map(found -> BsonDocument.parse(found.group(1))).toList();
  }

  static String normalised(String raw) {
    return raw.lines().map(String::stripTrailing).collect(Collectors.joining("\n", "", "\n"));
  }

  private static SchemaStep load(int version, String file) {
    try (@Nullable InputStream in =
        SchemaStep.class.getResourceAsStream("/io/postroad/mongodb/schema/" + file)) {
      if (in == null) {
        throw new IllegalStateException("the jar of postroad-mongodb lacks schema/" + file);
      }
      String raw = new String(in.readAllBytes(), StandardCharsets.UTF_8);
      return new SchemaStep(version, file, normalised(raw));
    } catch (IOException failed) {
      throw new UncheckedIOException("cannot read schema/" + file + " from the jar", failed);
    }
  }
}
