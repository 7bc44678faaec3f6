package io.postroad.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.core.io.ClassPathResource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The table of properties in the docs is what editors get as metadata. */
class PropertiesTableTest {
  private static final String METADATA = "META-INF/spring-configuration-metadata.json";
  private static final Path PAGE = Path.of("..", "docs", "reference", "spring-properties.md");

  @Test
  void everyPropertyIsInTheTableWithItsDefaultAndItsText() throws IOException {
    List<String> rows =
        Files.readAllLines(PAGE).stream().filter(line -> line.startsWith("| `postroad.")).toList();

    assertThat(rows).containsExactlyElementsOf(expected());
  }

  @Test
  void everyPropertyHasAText() throws IOException {
    for (JsonNode property : properties()) {
      assertThat(property.path("description").asString(""))
          .as(property.path("name").asString())
          .isNotBlank();
    }
  }

  private static List<String> expected() throws IOException {
    List<String> rows = new ArrayList<>();
    for (JsonNode property : properties()) {
      String value = property.path("defaultValue").asString("");
      rows.add(
          "| `%s` | %s | %s |"
              .formatted(
                  property.path("name").asString(),
                  value.isEmpty() ? "" : "`" + value + "`",
                  property.path("description").asString()));
    }
    Collections.sort(rows);
    return rows;
  }

  private static List<JsonNode> properties() throws IOException {
    List<JsonNode> ours = new ArrayList<>();
    JsonMapper.shared()
        .readTree(new ClassPathResource(METADATA).getContentAsByteArray())
        .path("properties")
        .forEach(
            each -> {
              if (each.path("name").asString().startsWith("postroad.")) {
                ours.add(each);
              }
            });
    assertThat(ours).hasSizeGreaterThan(40);
    return ours;
  }
}
