package io.postroad.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.lang.module.Configuration;
import java.lang.module.ModuleFinder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.spi.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A handler in a module that does not open its package. */
class ClosedModuleTest {
  private static final String SERVICE =
      """
      package shop;

      public class Shop {
        public record CreateOrderCommand() implements io.postroad.command.DomainCommand {}

        public static Object service() {
          return new OrderService();
        }

        static class OrderService {
          public String createOrder(CreateOrderCommand command) {
            return "done";
          }
        }
      }
      """;

  @TempDir
  @SuppressWarnings("NullAway.Init")
  Path directory;

  @Test
  void theErrorNamesAClosedModuleAndTheMissingOption() throws Exception {
    Object service = service("module shop { exports shop; }");

    assertThatIllegalStateException()
        .isThrownBy(() -> Registries.of(service))
        .withMessageStartingWith(
            "cannot call OrderService.createOrder: module shop does not open package shop to"
                + " Postroad; add 'opens shop' to its module-info");
  }

  @Test
  void aHandlerInAnOpenModuleIsCalled() throws Exception {
    Object service = service("module shop { exports shop; opens shop; }");

    assertThat(Registries.handle(Registries.of(service), "CreateOrder", "{}"))
        .containsEntry("value", "done");
  }

  private Object service(String moduleInfo) throws Exception {
    Path classes = compiled(moduleInfo);
    Configuration configuration =
        ModuleLayer.boot()
            .configuration()
            .resolve(ModuleFinder.of(classes), ModuleFinder.of(), Set.of("shop"));
    ModuleLayer.Controller layer =
        ModuleLayer.defineModulesWithOneLoader(
            configuration, List.of(ModuleLayer.boot()), DomainCommand.class.getClassLoader());
    Module shop = layer.layer().findModule("shop").orElseThrow();
    layer.addReads(shop, DomainCommand.class.getModule());
    return shop.getClassLoader().loadClass("shop.Shop").getMethod("service").invoke(null);
  }

  private Path compiled(String moduleInfo) throws Exception {
    Path info = Files.writeString(directory.resolve("module-info.java"), moduleInfo);
    Path shop = Files.writeString(directory.resolve("Shop.java"), SERVICE);
    Path classes = directory.resolve("classes");
    Path core =
        Path.of(DomainCommand.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    int result =
        ToolProvider.findFirst("javac")
            .orElseThrow()
            .run(
                System.out,
                System.err,
                "--add-reads=shop=ALL-UNNAMED",
                "-cp",
                core.toString(),
                "-d",
                classes.toString(),
                info.toString(),
                shop.toString());
    assertThat(result).isZero();
    return classes;
  }
}
