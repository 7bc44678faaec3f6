package io.postroad.tck;

import static org.assertj.core.api.Assertions.assertThat;

import io.postroad.tck.contract.Contracts;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;

class ContractsTest {

  @Test
  void theListsHaveEveryClassNamedContract() throws Exception {
    List<String> found = classNames("Contract.class");

    assertThat(found).as("contracts on the class path").isNotEmpty();
    assertThat(all()).extracting(Class::getName).hasSameElementsAs(found);
  }

  /** Suites select by tag, so a contract in the wrong list would not run, or run unasked. */
  @Test
  void theListsSayWhatTheContractsSayOfThemselves() {
    assertThat(Contracts.ofCompetingStores())
        .noneMatch(contract -> contract.isAnnotationPresent(OrderedOnly.class));
    assertThat(Contracts.ofOrderedStores())
        .noneMatch(contract -> contract.isAnnotationPresent(CompetingOnly.class));
    assertThat(all())
        .filteredOn(contract -> !contract.isAnnotationPresent(OrderedOnly.class))
        .hasSameElementsAs(Contracts.ofCompetingStores());
    assertThat(all())
        .filteredOn(contract -> !contract.isAnnotationPresent(CompetingOnly.class))
        .hasSameElementsAs(Contracts.ofOrderedStores());
  }

  @Test
  void everyContractHasTestsThatGetAStore() {
    for (Class<?> contract : all()) {
      assertThat(contract).hasAnnotation(StoreContract.class);
      assertThat(Arrays.stream(contract.getDeclaredMethods()).filter(ContractsTest::isTest))
          .as("tests of " + contract.getSimpleName())
          .isNotEmpty()
          .allMatch(test -> List.of(test.getParameterTypes()).contains(StoreUnderTest.class));
    }
  }

  /** Else its tests would not run: suites select by name. */
  @Test
  void everyClassAnnotatedAsContractIsNamedSo() throws Exception {
    for (String name : classNames(".class")) {
      Class<?> type = Class.forName(name, false, Contracts.class.getClassLoader());
      assertThat(type.isAnnotationPresent(StoreContract.class))
          .as(name)
          .isEqualTo(name.endsWith("Contract"));
    }
  }

  private static Set<Class<?>> all() {
    Set<Class<?>> all = new LinkedHashSet<>(Contracts.ofCompetingStores());
    all.addAll(Contracts.ofOrderedStores());
    return all;
  }

  private static boolean isTest(Method method) {
    return method.isAnnotationPresent(Test.class)
        || method.isAnnotationPresent(ParameterizedTest.class);
  }

  private static List<String> classNames(String ending) throws Exception {
    Path classes =
        Path.of(Contracts.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    String packageName = Contracts.class.getPackageName();
    try (Stream<Path> files = Files.walk(classes.resolve(packageName.replace('.', '/')))) {
      return files
          .map(file -> classes.relativize(file).toString())
          .filter(file -> file.endsWith(ending) && !file.contains("-"))
          .map(file -> file.substring(0, file.length() - 6).replace('/', '.'))
          .toList();
    }
  }
}
