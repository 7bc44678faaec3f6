package io.postroad.test;

import static org.assertj.core.api.Assertions.assertThat;

import io.postroad.tck.contract.Contracts;
import java.io.IOException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Keeps {@code docs/reference/process-scenarios.md} true: what it names is a test of the TCK. */
class ProcessScenarioTableTest {
  private static final Path TABLE = Path.of("..", "docs", "reference", "process-scenarios.md");
  private static final Pattern ROW = Pattern.compile("(?m)^\\| (\\d+) \\| [^|]+ \\| (`.*`) \\|$");
  private static final Pattern CONTRACT = Pattern.compile("`(\\w+)\\.(\\w+)`");

  @Test
  void everyScenarioNamesContractsThatExist() throws IOException {
    List<MatchResult> rows = ROW.matcher(Files.readString(TABLE)).results().toList();

    assertThat(rows)
        .extracting(row -> Integer.valueOf(row.group(1)))
        .containsExactlyElementsOf(IntStream.rangeClosed(1, 24).boxed().toList());
    for (MatchResult row : rows) {
      List<MatchResult> contracts = CONTRACT.matcher(row.group(2)).results().toList();
      assertThat(contracts).as("scenario %s", row.group(1)).isNotEmpty();
      contracts.forEach(contract -> assertIsATest(contract.group(1), contract.group(2)));
    }
  }

  private static void assertIsATest(String contract, String method) {
    assertThat(testsOf(contract)).as(contract).contains(method);
  }

  private static List<String> testsOf(String contract) {
    Class<?> found =
        Contracts.ofOrderedStores().stream()
            .filter(type -> type.getSimpleName().equals(contract))
            .findFirst()
            .orElseThrow(() -> new AssertionError("there is no contract " + contract));
    return Arrays.stream(found.getDeclaredMethods())
        .filter(method -> method.isAnnotationPresent(Test.class))
        .map(Method::getName)
        .toList();
  }
}
