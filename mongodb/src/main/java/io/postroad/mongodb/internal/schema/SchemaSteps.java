package io.postroad.mongodb.internal.schema;

import io.postroad.internal.store.SchemaFile;
import io.postroad.mongodb.MongoOptions;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.bson.BsonDocument;

/**
 * The numbered files of the schema: commands for mongosh whose arguments are plain JSON. Every
 * command may be run again, so that an interrupted step is repeated. A command that mentions {@code
 * ${lane}} stands for one command per lane.
 */
public final class SchemaSteps {
  public static final List<SchemaFile> ALL =
      List.of(load(1, "V1__baseline.js"), load(2, "V2__inbox.js"), load(3, "V3__processes.js"));

  /** Only where {@link MongoOptions#streams} asks for it, at any version. */
  public static final SchemaFile STREAMS = load(0, "streams.js");

  private static final Pattern COMMAND =
      Pattern.compile("^db\\.runCommand\\((\\{.*?\\})\\);$", Pattern.DOTALL | Pattern.MULTILINE);

  private SchemaSteps() {}

  /** Returns the commands of a file for these options, as mongosh takes them. */
  public static String script(SchemaFile step, MongoOptions options) {
    return Stream.of(step.text().split("\n\n"))
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

  /** Returns the commands of a script, in order. */
  public static List<BsonDocument> commands(String script) {
    Matcher commands = COMMAND.matcher(script);
    return commands.results().map(found -> BsonDocument.parse(found.group(1))).toList();
  }

  private static SchemaFile load(int version, String file) {
    return SchemaFile.load(SchemaSteps.class, "/io/postroad/mongodb/schema/", version, file);
  }
}
