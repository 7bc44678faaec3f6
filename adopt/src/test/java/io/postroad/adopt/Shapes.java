package io.postroad.adopt;

import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Tables and collections from a few lines of text, a column each. */
public final class Shapes {
  private static final Pattern COLUMN =
      Pattern.compile(
          "(\\S+)\\s+([a-z]+)(?:\\((\\d+)\\))?( not null)?( default(?: '([^']*)')?)?( unique)?(?: in (\\S+))?");

  private static final Map<String, ColumnKind> KINDS =
      Map.ofEntries(
          Map.entry("text", ColumnKind.TEXT),
          Map.entry("enum", ColumnKind.ENUM),
          Map.entry("uuid", ColumnKind.UUID),
          Map.entry("objectid", ColumnKind.OBJECT_ID),
          Map.entry("number", ColumnKind.NUMBER),
          Map.entry("boolean", ColumnKind.BOOLEAN),
          Map.entry("timestamptz", ColumnKind.TIME_WITH_ZONE),
          Map.entry("timestamp", ColumnKind.TIME_WITHOUT_ZONE),
          Map.entry("json", ColumnKind.JSON),
          Map.entry("bytes", ColumnKind.BYTES),
          Map.entry("other", ColumnKind.OTHER),
          Map.entry("unknown", ColumnKind.UNKNOWN));

  private Shapes() {}

  public static TableShape table(String name, String columns) {
    return TableShape.ofTable(name, columns(columns), List.of()).withKeys(uniques(columns));
  }

  static TableShape collection(String name, String fields) {
    return TableShape.ofCollection(name, columns(fields));
  }

  private static List<ColumnShape> columns(String text) {
    return text.lines().map(Shapes::match).map(Shapes::column).toList();
  }

  private static List<List<String>> uniques(String text) {
    return text.lines()
        .map(Shapes::match)
        .filter(line -> line.group(7) != null)
        .map(line -> List.of(line.group(1)))
        .toList();
  }

  private static Matcher match(String line) {
    Matcher matcher = COLUMN.matcher(line);
    if (!matcher.matches()) {
      throw new IllegalArgumentException("not a column: " + line);
    }
    return matcher;
  }

  private static ColumnShape column(Matcher line) {
    ColumnKind kind = KINDS.get(line.group(2));
    if (kind == null) {
      throw new IllegalArgumentException("not a kind: " + line.group(2));
    }
    ColumnShape column = ColumnShape.of(line.group(1), kind);
    if (line.group(3) != null) {
      column = column.withMaxLength(Integer.parseInt(line.group(3)));
    }
    if (line.group(4) != null) {
      column = column.notNull();
    }
    if (line.group(5) != null) {
      column = line.group(6) == null ? column.withDefault() : column.withDefault(line.group(6));
    }
    return line.group(8) == null ? column : column.withAllowed(List.of(line.group(8).split(",")));
  }
}
