package io.postroad.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Checks that texts which lead through the code name classes that exist. */
class SignpostsTest {
  private static final Path ROOT = Path.of("..");
  private static final Pattern IN_CODE_FONT = Pattern.compile("`([A-Z]\\w+)(?:\\.\\w+)*`");
  private static final Pattern LINK =
      Pattern.compile("\\{@link\\s+(io\\.postroad(?:\\.[a-z]\\w*)+\\.[A-Z]\\w*)");
  private static final JavaClasses MODULES = new ClassFileImporter().importPackages("io.postroad");

  @Test
  void theArchitecturePageNamesClassesThatExist() throws IOException {
    Set<String> known = MODULES.stream().map(JavaClass::getSimpleName).collect(Collectors.toSet());
    List<String> named = found(IN_CODE_FONT, ROOT.resolve("docs/architecture.md"));

    assertThat(named).hasSizeGreaterThan(50);
    assertThat(named)
        .allSatisfy(name -> assertThat(known.contains(name) || isATest(name)).as(name).isTrue());
  }

  @Test
  void packagesNameClassesThatExist() throws IOException {
    List<Path> sources;
    try (Stream<Path> all = Files.walk(ROOT)) {
      sources =
          all.filter(file -> file.toString().contains("src/main/java"))
              .filter(file -> file.toString().endsWith(".java"))
              .toList();
    }
    Set<String> known = sources.stream().map(SignpostsTest::typeOf).collect(Collectors.toSet());
    List<Path> infos = sources.stream().filter(file -> file.endsWith("package-info.java")).toList();

    assertThat(infos).hasSizeGreaterThan(50);
    for (Path info : infos) {
      assertThat(found(LINK, info))
          .as(info.toString())
          .allSatisfy(name -> assertThat(known.contains(name)).as(name).isTrue());
    }
  }

  private static String typeOf(Path source) {
    String path = source.toString().replace('\\', '/');
    return path.substring(path.indexOf("src/main/java/") + "src/main/java/".length())
        .replace(".java", "")
        .replace('/', '.');
  }

  /** Tests are not on the class path here. */
  private static boolean isATest(String name) {
    return name.endsWith("Test");
  }

  private static List<String> found(Pattern pattern, Path file) throws IOException {
    return pattern
        .matcher(Files.readString(file))
        .results()
        .map((MatchResult result) -> result.group(1))
        .toList();
  }
}
