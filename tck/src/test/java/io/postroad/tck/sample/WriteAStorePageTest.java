package io.postroad.tck.sample;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Compares the page with the sample that the build compiles and tests. */
class WriteAStorePageTest {
  private static final Pattern JAVA = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL);

  @Test
  void thePageShowsTheSample() throws IOException {
    String page = Files.readString(Path.of("..", "docs", "extend", "write-a-store.md"));
    StringBuilder sample = new StringBuilder();
    for (String file : List.of("MapStore", "MapStoreFixture", "MapStoreTckTest")) {
      sample.append(
          Files.readString(Path.of("src/test/java/io/postroad/tck/sample", file + ".java")));
    }

    List<MatchResult> blocks = JAVA.matcher(page).results().toList();

    assertThat(blocks).hasSize(5);
    assertThat(blocks)
        .allSatisfy(block -> assertThat(squeezed(sample)).contains(squeezed(block.group(1))));
  }

  private static String squeezed(CharSequence text) {
    return text.toString().replaceAll("\\s+", "");
  }
}
