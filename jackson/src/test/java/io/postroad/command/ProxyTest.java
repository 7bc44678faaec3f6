package io.postroad.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A bean and its proxy count as one implementation, and the proxy is called. */
class ProxyTest {
  record CreateOrderCommand() implements DomainCommand {}

  interface CreatesOrders {
    String createOrder(CreateOrderCommand command);
  }

  interface AlsoCreatesOrders extends CreatesOrders {}

  static class OrderService implements CreatesOrders {
    @Override
    public String createOrder(CreateOrderCommand command) {
      return "plain";
    }
  }

  static class BothService implements AlsoCreatesOrders {
    @Override
    public String createOrder(CreateOrderCommand command) {
      return "both";
    }
  }

  static class OtherService implements CreatesOrders {
    @Override
    public String createOrder(CreateOrderCommand command) {
      return "other";
    }
  }

  static class OrderService$$SpringCGLIB$$0 extends OrderService {
    @Override
    public String createOrder(CreateOrderCommand command) {
      return "proxy of " + super.createOrder(command);
    }
  }

  static class ProxyOfProxy$$EnhancerByGuice$$1 extends OrderService$$SpringCGLIB$$0 {}

  static class OrderService$Definition$Intercepted extends OrderService {
    @Override
    public String createOrder(CreateOrderCommand command) {
      return "proxy of " + super.createOrder(command);
    }
  }

  static class OrderService$ByteBuddy$aB1 extends OrderService {
    @Override
    public String createOrder(CreateOrderCommand command) {
      return "proxy of " + super.createOrder(command);
    }
  }

  /** Implements an interface without a class behind it, as an introduction does. */
  static class CreatesOrders$Intercepted implements CreatesOrders {
    @Override
    public String createOrder(CreateOrderCommand command) {
      return "introduced";
    }
  }

  /** A framework's proxy without a telling name. */
  static class OrderService_ClientProxy extends OrderService {
    @Override
    public String createOrder(CreateOrderCommand command) {
      return "proxy of " + super.createOrder(command);
    }
  }

  static Object[] proxies() {
    return new Object[] {
      new OrderService$$SpringCGLIB$$0(),
      new ProxyOfProxy$$EnhancerByGuice$$1(),
      new OrderService$Definition$Intercepted(),
      new OrderService$ByteBuddy$aB1(),
      proxyOf(new OrderService(), CreatesOrders.class)
    };
  }

  @ParameterizedTest
  @MethodSource("proxies")
  void aProxyIsPreferredInEitherOrder(Object proxy) throws Exception {
    OrderService plain = new OrderService();

    assertThat(answer(Registries.of(plain, proxy))).isEqualTo("proxy of plain");
    assertThat(answer(Registries.of(proxy, plain))).isEqualTo("proxy of plain");
    assertThat(answer(Registries.of(proxy))).isEqualTo("proxy of plain");
  }

  @ParameterizedTest
  @MethodSource("proxies")
  void aProxyOfOneImplementationDoesNotHideAnotherImplementation(Object proxy) {
    assertThatIllegalStateException()
        .isThrownBy(() -> Registries.of(proxy, new OrderService(), new OtherService()))
        .withMessageContaining("OtherService");
  }

  @Test
  void aProxyIsNamedByItsClass() {
    assertThatIllegalStateException()
        .isThrownBy(
            () -> Registries.of(new OrderService$Definition$Intercepted(), new OtherService()))
        .withMessageContaining("Found 2 different implementations: [OrderService, OtherService]");
  }

  @Test
  void aProxyWithOnlyAnInterfaceIsNamedByTheInterface() throws Exception {
    assertThat(answer(Registries.of(new CreatesOrders$Intercepted()))).isEqualTo("introduced");
    assertThatIllegalStateException()
        .isThrownBy(
            () ->
                Registries.of(
                    proxyOf(new OrderService(), CreatesOrders.class),
                    new OrderService(),
                    new OtherService()))
        .withMessageContaining(
            "Found 3 different implementations: [CreatesOrders, OrderService, OtherService]");
  }

  @Test
  void aMethodInTwoInterfacesOfAProxyIsOneHandler() throws Exception {
    Object proxy = proxyOf(new BothService(), CreatesOrders.class, AlsoCreatesOrders.class);

    assertThat(answer(Registries.of(proxy))).isEqualTo("proxy of both");
  }

  @Test
  void theClassThatTheFrameworkNamesIsUsed() throws Exception {
    AutoCommandHandlerRegistry<String> registry =
        Registries.builder()
            .bean(new OrderService())
            .bean(new OrderService_ClientProxy(), OrderService.class)
            .build();
    assertThat(answer(registry)).isEqualTo("proxy of plain");

    AutoCommandHandlerRegistry.Builder<String> two =
        Registries.builder()
            .bean(proxyOf(new OrderService(), CreatesOrders.class), OrderService.class)
            .bean(new OrderService())
            .bean(new OtherService());
    assertThatIllegalStateException()
        .isThrownBy(two::build)
        .withMessageContaining("Found 2 different implementations: [OrderService, OtherService]");
  }

  @Test
  void theClassThatTheFrameworkNamesMayBeAProxy() throws Exception {
    OrderService$Definition$Intercepted proxy = new OrderService$Definition$Intercepted();

    assertThat(
            answer(
                Registries.builder()
                    .bean(new OrderService())
                    .bean(proxy, OrderService$Definition$Intercepted.class)
                    .build()))
        .isEqualTo("proxy of plain");
  }

  interface Handles<C extends DomainCommand> {
    Object handle(C command);
  }

  static class GenericHandler implements Handles<CreateOrderCommand> {
    @Override
    public Object handle(CreateOrderCommand command) {
      return "generic";
    }
  }

  @Test
  void aMethodOfTheKnownClassIsCalledThroughTheInterfaceOfTheProxy() throws Exception {
    assertThat(
            answer(
                Registries.builder()
                    .bean(proxyOf(new GenericHandler(), Handles.class), GenericHandler.class)
                    .build()))
        .isEqualTo("proxy of generic");
  }

  static class ShowsNothing implements Comparable<ShowsNothing> {
    public String createOrder(CreateOrderCommand command) {
      return "hidden";
    }

    @Override
    public int compareTo(ShowsNothing other) {
      return 0;
    }
  }

  @Test
  void aMethodThatTheProxyLacksIsRefusedWithAdvice() {
    AutoCommandHandlerRegistry.Builder<String> builder =
        Registries.builder()
            .bean(proxyOf(new ShowsNothing(), Comparable.class), ShowsNothing.class);

    assertThatIllegalStateException()
        .isThrownBy(builder::build)
        .withMessageStartingWith("ShowsNothing.createOrder handles a command, but its proxy ")
        .withMessageContaining("declare it in an interface of the proxy");
  }

  private static Object proxyOf(Object target, Class<?>... interfaces) {
    InvocationHandler around =
        (proxy, method, arguments) -> {
          try {
            return "proxy of " + method.invoke(target, arguments);
          } catch (InvocationTargetException thrown) {
            throw thrown.getTargetException();
          }
        };
    return Proxy.newProxyInstance(ProxyTest.class.getClassLoader(), interfaces, around);
  }

  private static @Nullable Object answer(AutoCommandHandlerRegistry<String> registry)
      throws Exception {
    return Registries.handle(registry, "CreateOrder", "{}").get("value");
  }
}
