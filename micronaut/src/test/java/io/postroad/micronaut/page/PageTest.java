package io.postroad.micronaut.page;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** The code on the page is code that compiles, word for word but for the class around it. */
class PageTest {
  private static final Path PAGE = Path.of("..", "docs", "learn", "micronaut.md");
  private static final Path CODE =
      Path.of("src", "test", "java", "io", "postroad", "micronaut", "page", "Page.java");

  @Test
  void theCodeOnThePageCompiles() throws IOException {
    String code = Files.readString(CODE);
    String shown =
        code.substring(code.indexOf("// page: begin\n") + 15, code.indexOf("  // page: end"))
            .stripTrailing()
            .stripIndent()
            .replace("public static class", "public class");

    assertThat(Files.readString(PAGE)).contains("```java\n" + shown.strip() + "\n```");
  }

  @Test
  void theConfigurationOnThePageIsThatOfTheGuidesApplication() throws IOException {
    String yaml = Files.readString(Path.of("src", "test", "resources", "guide", "application.yml"));
    String ours = yaml.substring(yaml.indexOf("postroad:\n")).strip();

    assertThat(Files.readString(PAGE)).contains("```yaml\n" + ours + "\n```");
  }
}
