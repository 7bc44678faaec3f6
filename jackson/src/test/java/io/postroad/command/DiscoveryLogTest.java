package io.postroad.command;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.util.List;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** The log lines that explain why a handler was not found. */
class DiscoveryLogTest {
  record CreateOrderCommand() implements DomainCommand {}

  record ShipOrder() implements DomainCommand {}

  static class OrderService {
    public void createOrder(CreateOrderCommand command) {}

    public void shipOrder(ShipOrder command) {}

    public void any(DomainCommand command) {}
  }

  static class OrderService$$Proxy extends OrderService {}

  static class Idle {}

  @Test
  void everyCandidateIsLoggedWithItsProxy() {
    assertThat(logged(new OrderService(), new OrderService$$Proxy()))
        .filteredOn(line -> line.contains("candidate"))
        .hasSize(2)
        .allMatch(line -> line.contains("DEBUG"))
        .allMatch(line -> line.contains("type=CreateOrder"))
        .allMatch(line -> line.contains("command=" + CreateOrderCommand.class.getName()))
        .allMatch(line -> line.contains("handler=OrderService.createOrder"))
        .satisfiesExactlyInAnyOrder(
            line -> assertThat(line).contains("proxy=false"),
            line -> assertThat(line).contains("proxy=true"));
  }

  @Test
  void aMisnamedCommandIsLoggedAsAWarningWithTheReason() {
    assertThat(logged(new OrderService()))
        .filteredOn(line -> line.contains("WARN"))
        .singleElement()
        .asString()
        .contains("not registered handler=OrderService.shipOrder")
        .contains("must be named by its type and 'Command'")
        .contains("got " + ShipOrder.class.getName());
  }

  @Test
  void aParameterThatIsNotAConcreteClassIsLogged() {
    assertThat(logged(new OrderService()))
        .anyMatch(
            line ->
                line.contains("DEBUG")
                    && line.contains("not registered handler=OrderService.any")
                    && line.contains("is no concrete class"));
  }

  @Test
  void aBeanWithoutHandlersIsLogged() {
    assertThat(logged(new Idle()))
        .singleElement()
        .asString()
        .contains("DEBUG")
        .contains("none in bean=" + Idle.class.getName());
  }

  @Test
  void anExplicitHandlerIsACandidate() {
    assertThat(
            logged(
                () ->
                    Registries.builder()
                        .on(CreateOrderCommand.class, (command, context) -> null)
                        .build()))
        .singleElement()
        .asString()
        .contains("candidate type=CreateOrder")
        .contains("handler=explicit handler");
  }

  private static List<String> logged(Object... beans) {
    return logged(() -> Registries.of(beans));
  }

  private static List<String> logged(Supplier<AutoCommandHandlerRegistry<String>> building) {
    PrintStream before = System.err;
    ByteArrayOutputStream log = new ByteArrayOutputStream();
    System.setErr(new PrintStream(log, true, UTF_8));
    try {
      assertThat(building.get()).isNotNull();
    } finally {
      System.setErr(before);
    }
    return log.toString(UTF_8).lines().toList();
  }
}
