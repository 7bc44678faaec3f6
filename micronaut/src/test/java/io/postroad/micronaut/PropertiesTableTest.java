package io.postroad.micronaut;

import static org.assertj.core.api.Assertions.assertThat;

import io.micronaut.context.annotation.ConfigurationProperties;
import io.micronaut.core.bind.annotation.Bindable;
import io.micronaut.core.naming.NameUtils;
import java.io.IOException;
import java.lang.reflect.RecordComponent;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The table of properties in the docs is what the classes bind, with their texts. */
class PropertiesTableTest {
  private static final Path SOURCES =
      Path.of("src", "main", "java", "io", "postroad", "micronaut", "internal", "settings");
  private static final Path PAGE = Path.of("..", "docs", "reference", "micronaut-properties.md");

  @Test
  void everyPropertyIsInTheTableWithItsDefaultAndItsText() throws Exception {
    List<String> rows =
        Files.readAllLines(PAGE).stream().filter(line -> line.startsWith("| `postroad.")).toList();

    assertThat(rows).hasSizeGreaterThan(40).containsExactlyElementsOf(expected());
  }

  private static List<String> expected() throws Exception {
    List<String> rows = new ArrayList<>();
    for (Path source : sources()) {
      String name = source.getFileName().toString().replace(".java", "");
      Class<?> type = Class.forName("io.postroad.micronaut.internal.settings." + name);
      String prefix = type.getAnnotation(ConfigurationProperties.class).value();
      String text = Files.readString(source);
      for (int i = 0; i < type.getRecordComponents().length; i++) {
        RecordComponent component = type.getRecordComponents()[i];
        String value = byDefault(type, i);
        rows.add(
            "| `%s.%s` | %s | %s |"
                .formatted(
                    prefix,
                    NameUtils.hyphenate(component.getName()),
                    value.isEmpty() ? "" : "`" + value + "`",
                    description(text, component.getName())));
      }
    }
    Collections.sort(rows);
    return rows;
  }

  private static List<Path> sources() throws IOException {
    try (Stream<Path> files = Files.list(SOURCES)) {
      return files.filter(each -> each.toString().endsWith("Properties.java")).toList();
    }
  }

  /** An enum is written in small letters. */
  private static String byDefault(Class<?> type, int component) {
    Bindable bound =
        type.getDeclaredConstructors()[0].getParameters()[component].getAnnotation(Bindable.class);
    return type.getRecordComponents()[component].getType().isEnum()
        ? bound.defaultValue().toLowerCase(Locale.ROOT)
        : bound.defaultValue();
  }

  private static String description(String source, String component) {
    Matcher text =
        Pattern.compile(
                "@param %s (.*?)(?=\\n \\* @param|\\n \\*/)".formatted(component), Pattern.DOTALL)
            .matcher(source);
    assertThat(text.find()).as(component).isTrue();
    return text.group(1).replaceAll("\\s*\\n \\*\\s+", " ");
  }
}
