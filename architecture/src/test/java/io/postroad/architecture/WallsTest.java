package io.postroad.architecture;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaMember;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.domain.JavaPackage;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Holds the walls of all published modules. */
class WallsTest {
  /** The largest packages are the SPI of stores and the stores in memory. */
  private static final int MAX_CLASSES = 36;

  private static final JavaClasses MODULES =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
          .importPackages("io.postroad");

  @ParameterizedTest
  @ValueSource(
      strings = {
        "io.postroad.outbox",
        "io.postroad.jackson",
        "io.postroad.postgres.internal.log",
        "io.postroad.mongodb.internal.log",
        "io.postroad.kafka",
        "io.postroad.jms",
        "io.postroad.micrometer",
        "io.postroad.framework",
        "io.postroad.spring",
        "io.postroad.spring.boot",
        "io.postroad.micronaut.internal.wiring",
        "io.postroad.test",
        "io.postroad.tck"
      })
  void theScanSeesEachModule(String name) {
    assertThat(MODULES.containPackage(name)).isTrue();
    assertThat(MODULES.getPackage(name).getClasses()).isNotEmpty();
  }

  /** A type of an internal package may change at any time, so users must never hold one. */
  @Test
  void noInternalTypeIsInAPublicSignature() {
    List<String> found = new ArrayList<>();
    written()
        .filter(type -> !isInternal(type) && isPublic(type))
        .forEach(
            type -> {
              type.getRawSuperclass().filter(WallsTest::isInternal).ifPresent(in(found, type));
              type.getRawInterfaces().stream()
                  .filter(WallsTest::isInternal)
                  .forEach(in(found, type));
              type.getMembers().stream()
                  .filter(WallsTest::isForUsers)
                  .forEach(
                      member ->
                          member.getAllInvolvedRawTypes().stream()
                              .filter(WallsTest::isInternal)
                              .forEach(in(found, member)));
            });
    assertThat(found).isEmpty();
  }

  @Test
  void aPackageIsOneIdea() {
    assertThat(packages())
        .allSatisfy(
            each ->
                assertThat(topLevel(each))
                    .as(each.getName())
                    .hasSizeLessThanOrEqualTo(MAX_CLASSES));
  }

  @Test
  void everyPackageIsNullMarked() {
    assertThat(packages())
        .isNotEmpty()
        .allSatisfy(
            each -> assertThat(each.isAnnotatedWith(NullMarked.class)).as(each.getName()).isTrue());
  }

  @Test
  void noThreadSleeps() {
    noClasses().should().callMethod(Thread.class, "sleep", long.class).check(MODULES);
  }

  private static Consumer<JavaClass> in(List<String> found, Object place) {
    return internal -> found.add("%s has %s".formatted(place, internal.getName()));
  }

  private static boolean isForUsers(JavaMember member) {
    return member.getModifiers().contains(JavaModifier.PUBLIC)
        || member.getModifiers().contains(JavaModifier.PROTECTED);
  }

  private static boolean isInternal(JavaClass type) {
    return (type.getPackageName() + ".").contains(".internal.");
  }

  private static boolean isPublic(JavaClass type) {
    return type.getModifiers().contains(JavaModifier.PUBLIC)
        && type.getEnclosingClass().map(WallsTest::isPublic).orElse(true);
  }

  /** Leaves out arrays and the classes that frameworks generate. */
  private static Stream<JavaClass> written() {
    return MODULES.stream().filter(WallsTest::isWritten);
  }

  private static boolean isWritten(JavaClass type) {
    return !type.isArray() && !type.getName().contains(".$");
  }

  private static List<JavaClass> topLevel(JavaPackage each) {
    return each.getClasses().stream()
        .filter(type -> isWritten(type) && type.isTopLevelClass())
        .filter(type -> !type.getSimpleName().equals("package-info"))
        .toList();
  }

  private static List<JavaPackage> packages() {
    return MODULES.getDefaultPackage().getSubpackagesInTree().stream()
        .filter(each -> each.getName().startsWith("io.postroad"))
        .filter(each -> !topLevel(each).isEmpty())
        .toList();
  }
}
