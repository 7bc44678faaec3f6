package io.postroad.internal.command.handlers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.postroad.command.AutoCommandHandlerRegistry;
import io.postroad.command.DomainCommand;
import io.postroad.command.Registries;
import java.lang.reflect.Type;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Flow;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Phase 1: the methods that are handlers. */
class DiscoveryTest {
  record CreateOrderCommand(String customer) implements DomainCommand {}

  record UpdateInventoryCommand(int count) implements DomainCommand {}

  record CancelPaymentCommand() implements DomainCommand {}

  /** Does not follow the naming convention. */
  record ShipOrder() implements DomainCommand {}

  /** Does not implement {@link DomainCommand}. */
  record DeleteOrderCommand() {}

  abstract static class AnyCommand implements DomainCommand {}

  interface PaymentCommand extends DomainCommand {}

  static class OrderService {
    public String createOrder(CreateOrderCommand command) {
      return "for " + command.customer();
    }

    public void whateverItIsCalled(UpdateInventoryCommand command) {}

    public Map<String, Object> cancel(CancelPaymentCommand command) {
      return Map.of("status", "CANCELLED");
    }
  }

  @Test
  void theParameterDecidesTheCommandOfAMethod() throws Exception {
    AutoCommandHandlerRegistry<String> registry = Registries.of(new OrderService());

    assertThat(registry.types()).containsExactly("CancelPayment", "CreateOrder", "UpdateInventory");
    assertThat(registry.commandClass("CreateOrder")).contains(CreateOrderCommand.class);
    assertThat(registry.resultType("CreateOrder")).contains(String.class);
    assertThat(registry.resultType("UpdateInventory")).contains(void.class);
    assertThat(registry.resultType("CancelPayment").map(Type::getTypeName))
        .contains("java.util.Map<java.lang.String, java.lang.Object>");
    assertThat(registry.hasHandler("CreateOrder")).isTrue();
    assertThat(registry.hasHandler("CreateOrderCommand")).isFalse();
    assertThat(Registries.handle(registry, "CreateOrder", "{\"customer\":\"ann\"}"))
        .containsExactly(Map.entry("value", "for ann"));
  }

  static class NoHandlers {
    public void noParameter() {}

    public void twoParameters(CreateOrderCommand command, String more) {}

    public void noDomainCommand(DeleteOrderCommand command) {}

    public void notNamedAsACommand(ShipOrder command) {}

    public void anyCommand(DomainCommand command) {}

    public void abstractCommand(AnyCommand command) {}

    public void commandOfAKind(PaymentCommand command) {}

    public void severalCommands(List<CreateOrderCommand> commands) {}

    public void anyNumberOfCommands(CreateOrderCommand... commands) {}

    public static void ofNoBean(CreateOrderCommand command) {}

    protected void protectedMethod(CreateOrderCommand command) {}

    void packagePrivate(CreateOrderCommand command) {}

    @Override
    public boolean equals(Object other) {
      return this == other;
    }

    @Override
    public int hashCode() {
      return 1;
    }
  }

  @Test
  void aMethodThatBreaksTheConventionIsNotAHandler() {
    assertThat(Registries.of(new NoHandlers(), new Object(), "text").types()).isEmpty();
  }

  static class HiddenBase {
    public String createOrder(CreateOrderCommand command) {
      return "base";
    }
  }

  /** The compiler adds a bridge to the method of the class that is not public. */
  public static class PublicService extends HiddenBase {}

  @Test
  void methodInheritedFromAClassThatIsNotPublicIsFound() throws Exception {
    assertThat(value(Registries.of(new PublicService()))).isEqualTo("base");
  }

  static class OverridingService extends HiddenBase {
    @Override
    public String createOrder(CreateOrderCommand command) {
      return "overridden " + super.createOrder(command);
    }
  }

  @Test
  void overriddenMethodIsOneHandler() throws Exception {
    assertThat(value(Registries.of(new OverridingService()))).isEqualTo("overridden base");
  }

  interface Handles<C extends DomainCommand, R> {
    R handle(C command);
  }

  static class GenericHandler implements Handles<CreateOrderCommand, String> {
    @Override
    public String handle(CreateOrderCommand command) {
      return "generic";
    }
  }

  @Test
  void methodOfAGenericInterfaceIsOneHandlerOfItsOwnCommand() throws Exception {
    AutoCommandHandlerRegistry<String> registry = Registries.of(new GenericHandler());

    assertThat(registry.types()).containsExactly("CreateOrder");
    assertThat(value(registry)).isEqualTo("generic");
  }

  interface CreatesOrders {
    default String createOrder(CreateOrderCommand command) {
      return "default";
    }
  }

  static class UsesDefault implements CreatesOrders {}

  @Test
  void defaultMethodOfAnInterfaceIsFound() throws Exception {
    assertThat(value(Registries.of(new UsesDefault()))).isEqualTo("default");
  }

  @Test
  void explicitHandlersNeedNoConvention() throws Exception {
    AutoCommandHandlerRegistry<String> registry =
        Registries.builder()
            .on(CreateOrderCommand.class, (command, context) -> command.customer())
            .on("ship-order", ShipOrder.class, (command, context) -> context.transaction())
            .on("DeleteOrder", DeleteOrderCommand.class, (command, context) -> null)
            .build();

    assertThat(registry.types()).containsExactly("CreateOrder", "DeleteOrder", "ship-order");
    assertThat(Registries.handle(registry, "ship-order", "{}"))
        .containsExactly(Map.entry("value", "transaction"));
    assertThat(Registries.handle(registry, "DeleteOrder", "{}")).isEmpty();
  }

  @Test
  void anExplicitHandlerNeedsAType() {
    AutoCommandHandlerRegistry.Builder<String> builder = Registries.builder();

    assertThatIllegalArgumentException()
        .isThrownBy(() -> builder.on(ShipOrder.class, (command, context) -> null))
        .withMessageContaining("got " + ShipOrder.class.getName());
    assertThatIllegalArgumentException()
        .isThrownBy(() -> builder.on("ship order", ShipOrder.class, (command, context) -> null))
        .withMessageContaining("U+0020");
  }

  static class StageService {
    public CompletableFuture<String> createOrder(CreateOrderCommand command) {
      return CompletableFuture.completedFuture("done");
    }
  }

  static class FutureService {
    public Future<String> createOrder(CreateOrderCommand command) {
      return CompletableFuture.completedFuture("done");
    }
  }

  static class PublisherService {
    public Flow.Publisher<String> createOrder(CreateOrderCommand command) {
      return subscriber -> {};
    }
  }

  static class AnythingService {
    public Object createOrder(CreateOrderCommand command) {
      return "done";
    }
  }

  /** The compiler adds a bridge that returns an {@code Object}. */
  static class LaterService extends AnythingService {
    @Override
    public CompletableFuture<String> createOrder(CreateOrderCommand command) {
      return CompletableFuture.completedFuture("done");
    }
  }

  @Test
  void theOverridingMethodDecidesTheReturnType() {
    assertThat(Registries.of(new AnythingService()).types()).containsExactly("CreateOrder");
    assertThatIllegalStateException()
        .isThrownBy(() -> Registries.of(new LaterService()))
        .withMessageStartingWith("LaterService.createOrder returns a CompletableFuture");
  }

  @Test
  void aHandlerWhoseWorkWouldLeaveTheTransactionIsRefused() {
    assertThatIllegalStateException()
        .isThrownBy(() -> Registries.of(new StageService()))
        .withMessageStartingWith("StageService.createOrder returns a CompletableFuture, whose work")
        .withMessageContaining("return the value itself, or nothing");
    assertThatIllegalStateException()
        .isThrownBy(() -> Registries.of(new FutureService()))
        .withMessageContaining("returns a Future");
    assertThatIllegalStateException()
        .isThrownBy(() -> Registries.of(new PublisherService()))
        .withMessageContaining("returns a Publisher");
  }

  @Test
  void theErrorForAnUnknownTypeListsTheKnownTypesWithAdvice() {
    AutoCommandHandlerRegistry<String> registry = Registries.of(new OrderService());

    assertThat(registry.unknown("BookFx"))
        .hasMessageStartingWith(
            "Unknown command type: BookFx; registered: [CancelPayment, CreateOrder,"
                + " UpdateInventory]; ")
        .hasMessageContaining("a public method that has exactly one parameter")
        .hasMessageContaining("a class BookFxCommand that implements DomainCommand")
        .hasMessageContaining("hand that bean to the registry")
        .hasMessageContaining("io.postroad.command at DEBUG");
    assertThat(registry.commandClass("BookFx")).isEmpty();
    assertThat(registry.resultType("BookFx")).isEmpty();
    assertThat(Registries.of().unknown("X")).hasMessageContaining("registered: []; ");
  }

  private static @Nullable Object value(AutoCommandHandlerRegistry<String> registry)
      throws Exception {
    return Registries.handle(registry, "CreateOrder", "{\"customer\":\"ann\"}").get("value");
  }
}
