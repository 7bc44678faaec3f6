package io.postroad.architecture;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static java.util.Map.entry;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaPackage;
import com.tngtech.archunit.core.domain.PackageMatcher;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.library.Architectures.LayeredArchitecture;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/**
 * Holds the map of the core: each floor uses the floors below it only.
 *
 * <pre>
 *  admin
 *  process    with internal.process
 *  command    with internal.command
 *  inbox      with internal.inbox
 *  outbox     with internal.relay
 *  internal.loop
 *  internal.store
 *  spi
 *  transaction, schema, store, layout, trace
 *  message
 * </pre>
 */
class ArchitectureTest {
  private static final JavaClasses CORE =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
          .importPackages("io.postroad");

  private static final Map<String, List<String>> FLOORS =
      Map.ofEntries(
          entry("admin", List.of("io.postroad.admin..")),
          entry("process", List.of("io.postroad.process..", "io.postroad.internal.process..")),
          entry("command", List.of("io.postroad.command..", "io.postroad.internal.command..")),
          entry("inbox", List.of("io.postroad.inbox..", "io.postroad.internal.inbox..")),
          entry("outbox", List.of("io.postroad.outbox..", "io.postroad.internal.relay..")),
          entry("loop", List.of("io.postroad.internal.loop..")),
          entry("spi", List.of("io.postroad.spi..")),
          entry("rules", List.of("io.postroad.internal.store..")),
          entry("transaction", List.of("io.postroad.transaction..")),
          entry("schema", List.of("io.postroad.schema..")),
          entry("store", List.of("io.postroad.store..")),
          entry("layout", List.of("io.postroad.layout..")),
          entry("trace", List.of("io.postroad.trace..")),
          entry("message", List.of("io.postroad.message..")));

  @Test
  void theScanSeesTheCode() {
    assertThat(CORE.size()).isGreaterThan(500);
    assertThat(packages())
        .extracting(JavaPackage::getName)
        .contains("io.postroad.outbox", "io.postroad.internal.relay.lane");
  }

  @Test
  void packagesDependInOneDirection() {
    String[] engines = {"admin", "process", "command", "inbox", "outbox"};
    LayeredArchitecture floors = layeredArchitecture().consideringOnlyDependenciesInLayers();
    for (Map.Entry<String, List<String>> floor : FLOORS.entrySet()) {
      floors = floors.layer(floor.getKey()).definedBy(floor.getValue().toArray(String[]::new));
    }
    floors
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
        .whereLayer("loop")
        .mayOnlyBeAccessedByLayers(engines)
        .whereLayer("rules")
        .mayNotBeAccessedByAnyLayer()
        .whereLayer("spi")
        .mayOnlyBeAccessedByLayers("admin", "process", "command", "inbox", "outbox", "rules")
        .whereLayer("layout")
        .mayNotBeAccessedByAnyLayer()
        .whereLayer("trace")
        .mayOnlyBeAccessedByLayers("process", "command", "inbox", "outbox")
        .check(CORE);
  }

  /** Layouts are plain data. */
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
  void floorsHaveNoCycles() {
    slices().assignedFrom(new ByFloor()).should().beFreeOfCycles().check(CORE);
  }

  private static final class ByFloor implements SliceAssignment {
    @Override
    public SliceIdentifier getIdentifierOf(JavaClass type) {
      return FLOORS.entrySet().stream()
          .filter(
              floor ->
                  floor.getValue().stream()
                      .anyMatch(each -> PackageMatcher.of(each).matches(type.getPackageName())))
          .findFirst()
          .map(floor -> SliceIdentifier.of(floor.getKey()))
          .orElseGet(SliceIdentifier::ignore);
    }

    @Override
    public String getDescription() {
      return "floors";
    }
  }

  @Test
  void everyPackageHasItsPlaceOnTheMap() {
    classes()
        .should()
        .resideInAnyPackage(FLOORS.values().stream().flatMap(List::stream).toArray(String[]::new))
        .check(CORE);
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

  private static Set<JavaPackage> packages() {
    return CORE.getDefaultPackage().getSubpackagesInTree().stream()
        .filter(each -> !each.getClasses().isEmpty())
        .filter(each -> each.getName().startsWith("io.postroad"))
        .collect(java.util.stream.Collectors.toSet());
  }
}
