package io.postroad.architecture;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaPackage;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.util.Set;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;

/**
 * The arrows of the map: admin, process -> command -> inbox -> outbox -> store -> message, and
 * nothing the other way.
 */
class ArchitectureTest {
  private static final JavaClasses CORE =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
          .importPackages("io.postroad");

  @Test
  void theScanSeesTheCode() {
    assertThat(CORE.size()).isGreaterThan(30);
    assertThat(packages()).extracting(JavaPackage::getName).contains("io.postroad.outbox");
  }

  @Test
  void packagesDependInOneDirection() {
    layeredArchitecture()
        .consideringOnlyDependenciesInLayers()
        .layer("admin")
        .definedBy("io.postroad.admin..")
        .layer("process")
        .definedBy("io.postroad.process..")
        .layer("command")
        .definedBy("io.postroad.command..")
        .layer("inbox")
        .definedBy("io.postroad.inbox..")
        .layer("outbox")
        .definedBy("io.postroad.outbox..")
        .layer("engine")
        .definedBy("io.postroad.engine..")
        .layer("store")
        .definedBy("io.postroad.store..")
        .layer("layout")
        .definedBy("io.postroad.layout..")
        .layer("trace")
        .definedBy("io.postroad.trace..")
        .layer("message")
        .definedBy("io.postroad.message..")
        .whereLayer("admin")
        .mayNotBeAccessedByAnyLayer()
        .whereLayer("process")
        .mayOnlyBeAccessedByLayers("admin")
        .whereLayer("command")
        .mayOnlyBeAccessedByLayers("admin", "process")
        .whereLayer("inbox")
        .mayOnlyBeAccessedByLayers("admin", "process", "command")
        .whereLayer("outbox")
        .mayOnlyBeAccessedByLayers("admin", "process", "command", "inbox")
        .whereLayer("engine")
        .mayOnlyBeAccessedByLayers("admin", "process", "command", "inbox", "outbox")
        .whereLayer("store")
        .mayOnlyBeAccessedByLayers("admin", "process", "command", "inbox", "outbox")
        .whereLayer("layout")
        .mayNotBeAccessedByAnyLayer()
        .whereLayer("trace")
        .mayOnlyBeAccessedByLayers("process", "command", "inbox", "outbox")
        .whereLayer("message")
        .mayOnlyBeAccessedByLayers(
            "admin", "process", "command", "inbox", "outbox", "store", "layout", "trace")
        .check(CORE);
  }

  /** Plain data that people write down; nothing of the engine comes with it. */
  @Test
  void layoutsNeedNothingButMessages() {
    classes()
        .that()
        .resideInAPackage("io.postroad.layout..")
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage(
            "io.postroad.layout..", "io.postroad.message..", "java..", "org.jspecify..")
        .check(CORE);
  }

  @Test
  void packagesHaveNoCycles() {
    slices().matching("io.postroad.(*)..").should().beFreeOfCycles().check(CORE);
  }

  @Test
  void everyPackageHasItsPlaceOnTheMap() {
    classes()
        .should()
        .resideInAnyPackage(
            "io.postroad.layout..",
            "io.postroad.message..",
            "io.postroad.trace..",
            "io.postroad.store..",
            "io.postroad.engine..",
            "io.postroad.outbox..",
            "io.postroad.inbox..",
            "io.postroad.command..",
            "io.postroad.process..",
            "io.postroad.admin..")
        .check(CORE);
  }

  @Test
  void everyPackageIsNullMarked() {
    assertThat(packages())
        .isNotEmpty()
        .allSatisfy(
            each -> assertThat(each.isAnnotatedWith(NullMarked.class)).as(each.getName()).isTrue());
  }

  @Test
  void coreDependsOnSlf4jAndJspecifyOnly() {
    classes()
        .should()
        .onlyDependOnClassesThat(
            resideInAPackage("io.postroad..")
                .or(resideInAPackage("java.."))
                .or(resideInAPackage("org.slf4j.."))
                .or(resideInAPackage("org.jspecify..")))
        .check(CORE);
  }

  @Test
  void nobodySleeps() {
    noClasses().should().callMethod(Thread.class, "sleep", long.class).check(CORE);
  }

  private static Set<JavaPackage> packages() {
    return CORE.getDefaultPackage().getSubpackagesInTree().stream()
        .filter(each -> !each.getClasses().isEmpty())
        .filter(each -> each.getName().startsWith("io.postroad"))
        .collect(java.util.stream.Collectors.toSet());
  }
}
