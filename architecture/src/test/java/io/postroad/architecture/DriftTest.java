package io.postroad.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.ToIntFunction;
import org.junit.jupiter.api.Test;

/**
 * Compares the code with {@code figures.txt}, in which each module has a figure that may only go
 * down. Lower a figure there when you have lowered it in the code; {@code target/figures.txt} has
 * the present ones.
 */
class DriftTest {
  private static final Path ROOT = Path.of("..");
  private static final Path RECORDED = Path.of("src/test/resources/figures.txt");
  private static final Path PRESENT = Path.of("target/figures.txt");

  private record Rule(ToIntFunction<Figures.OfModule> figure, String found, String advice) {}

  private static final List<Rule> RULES =
      List.of(
          new Rule(
              each -> each.longFiles,
              "files above 400 lines",
              "give a part with an idea of its own a class of its own"),
          new Rule(
              each -> each.wideConstructors,
              "constructors with more than 6 parameters",
              "group parameters that belong together into a type with a meaning"),
          new Rule(
              each -> each.wideRecords,
              "records with more than 8 components",
              "group components that belong together into a record of their own"),
          new Rule(
              each -> each.pronouns,
              "Javadoc sentences with who, whoever, nobody or somebody",
              "name the node, thread, row or caller instead"),
          new Rule(
              each -> each.what,
              "Javadoc sentences that begin with \"What\"",
              "begin with a verb (\"Returns the rows\") or with the noun"));

  @Test
  void noFigureGoesUp() throws IOException {
    Map<String, Figures.OfModule> present = Figures.measure(ROOT).modules();
    List<String> recorded = Files.readAllLines(RECORDED);
    List<String> lines = new ArrayList<>(List.of(recorded.get(0)));
    List<String> drift = new ArrayList<>();
    present.forEach(
        (module, figures) -> {
          lines.add(line(module, figures));
          drift.addAll(drift(module, figures, recorded));
        });
    Files.write(PRESENT, lines);

    assertThat(present).hasSizeGreaterThan(10);
    assertThat(drift).isEmpty();
  }

  private static String line(String module, Figures.OfModule figures) {
    StringBuilder line = new StringBuilder(module);
    RULES.forEach(rule -> line.append(' ').append(rule.figure().applyAsInt(figures)));
    return line.toString();
  }

  private static List<String> drift(
      String module, Figures.OfModule figures, List<String> recorded) {
    List<String> drift = new ArrayList<>();
    String[] limits =
        recorded.stream()
            .filter(line -> line.startsWith(module + " "))
            .findFirst()
            .orElse(module + " 0".repeat(RULES.size()))
            .split(" ");
    for (int i = 0; i < RULES.size(); i++) {
      Rule rule = RULES.get(i);
      int now = rule.figure().applyAsInt(figures);
      int limit = Integer.parseInt(limits[i + 1]);
      if (now > limit) {
        drift.add(
            "module %s has %d %s, %d are recorded: %s"
                .formatted(module, now, rule.found(), limit, rule.advice()));
      }
    }
    return drift;
  }
}
