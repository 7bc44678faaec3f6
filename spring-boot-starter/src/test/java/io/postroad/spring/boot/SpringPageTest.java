package io.postroad.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import io.postroad.message.Message;
import io.postroad.process.ProcessManager;
import io.postroad.process.ProcessStatus;
import io.postroad.spring.boot.test.PostroadDrain;
import io.postroad.spring.boot.test.PostroadTest;
import io.postroad.spring.boot.test.PublishedMessages;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.io.DefaultResourceLoader;
import org.springframework.jdbc.core.JdbcTemplate;

/** The first classes of {@code docs/learn/spring.md}, compiled as they stand there, and run. */
class SpringPageTest {
  private static final Path PAGE = Path.of("..", "docs", "learn", "spring.md");
  private static final Pattern BLOCK = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL);

  /** Where a class or record of the block begins. */
  private static final Pattern TYPE =
      Pattern.compile("^(?:@\\w+\n)?public (?:class|record) (\\w+)", Pattern.MULTILINE);

  private static final String IMPORTS =
      """
      package page;

      import io.postroad.command.DomainCommand;
      import io.postroad.message.JsonCodec;
      import io.postroad.message.Message;
      import io.postroad.outbox.Outbox;
      import io.postroad.process.ProcessConfiguration;
      import io.postroad.process.ProcessGraph;
      import java.sql.Connection;
      import org.springframework.jdbc.core.JdbcTemplate;
      import org.springframework.stereotype.Component;
      import org.springframework.stereotype.Service;
      import org.springframework.transaction.annotation.Transactional;

      """;

  /** What the page takes for granted: a repository and an order. */
  private static final Map<String, String> REST =
      Map.of(
          "Order",
          "public record Order(String id, String customer) {}",
          "OrderRepository",
          """
          @Component
          public class OrderRepository {
            private final JdbcTemplate jdbc;

            public OrderRepository(JdbcTemplate jdbc) {
              this.jdbc = jdbc;
              jdbc.execute("CREATE TABLE orders (id text PRIMARY KEY, reserved boolean)");
            }

            public void save(Order order) {
              jdbc.update("INSERT INTO orders VALUES (?, false)", order.id());
            }

            public void reserve(String id) {
              jdbc.update("UPDATE orders SET reserved = true WHERE id = ?", id);
            }
          }
          """);

  @Test
  void theFirstClassesOfThePageWork(@TempDir Path directory) throws Exception {
    List<String> names = compile(directory);
    assertThat(names).contains("OrderService", "ReserveStockCommand", "OrderProcess");
    try (URLClassLoader loader =
        new URLClassLoader(
            new URL[] {directory.toUri().toURL()}, SpringPageTest.class.getClassLoader())) {
      Class<?>[] beans = {
        Application.class,
        loader.loadClass("page.OrderService"),
        loader.loadClass("page.OrderProcess"),
        loader.loadClass("page.OrderRepository"),
        loader.loadClass("page.Shipping")
      };
      try (ConfigurableApplicationContext application =
          new SpringApplicationBuilder(beans)
              .resourceLoader(new DefaultResourceLoader(loader))
              .properties(TestDatabases.postgres("spring_page"))
              .properties("spring.application.name=orders", "spring.main.banner-mode=off")
              .run()) {
        placeAnOrder(application, loader);
        runTheProcess(application);
      }
    }
  }

  /** Roll back, and nothing happened. Commit, and it arrives. */
  private static void placeAnOrder(ConfigurableApplicationContext application, ClassLoader loader)
      throws ReflectiveOperationException {
    Class<?> order = loader.loadClass("page.Order");
    Object service = application.getBean(loader.loadClass("page.OrderService"));
    Method place = service.getClass().getMethod("place", order);
    place.invoke(
        service, order.getConstructor(String.class, String.class).newInstance("o-1", "c-7"));
    int unused = application.getBean(PostroadDrain.class).now();

    Message sent = application.getBean(PublishedMessages.class).only("orders", "OrderPlaced");
    assertThat(sent.key()).contains("c-7");
    assertThat(reserved(application)).containsExactly(false);
  }

  private static void runTheProcess(ConfigurableApplicationContext application) {
    ProcessManager<?> processes = application.getBean(ProcessManager.class);
    UUID id = processes.startProcess("Order", "o-1", Map.of("orderId", "o-1"));
    int unused = application.getBean(PostroadDrain.class).now();

    assertThat(processes.getProcessRepository().findById(id).orElseThrow().status())
        .isEqualTo(ProcessStatus.SUCCEEDED);
    assertThat(reserved(application)).containsExactly(true);
  }

  private static List<Boolean> reserved(ConfigurableApplicationContext application) {
    return application
        .getBean(JdbcTemplate.class)
        .queryForList("SELECT reserved FROM orders", Boolean.class);
  }

  private static List<String> compile(Path directory) throws IOException {
    Matcher block = BLOCK.matcher(Files.readString(PAGE));
    assertThat(block.find()).as("a block of Java in " + PAGE).isTrue();
    Map<String, String> sources = new TreeMap<>(REST);
    String text = block.group(1);
    List<MatchResult> types = TYPE.matcher(text).results().toList();
    for (int i = 0; i < types.size(); i++) {
      int end = i + 1 < types.size() ? types.get(i + 1).start() : text.length();
      sources.put(types.get(i).group(1), text.substring(types.get(i).start(), end));
    }
    Path written = Files.createDirectories(directory.resolve("page"));
    List<String> arguments =
        new ArrayList<>(
            List.of(
                "-parameters",
                "-proc:none",
                "-d",
                directory.toString(),
                "-classpath",
                System.getProperty("java.class.path")));
    for (Map.Entry<String, String> source : sources.entrySet()) {
      Path file = written.resolve(source.getKey() + ".java");
      Files.writeString(file, IMPORTS + source.getValue());
      arguments.add(file.toString());
    }
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    ByteArrayOutputStream said = new ByteArrayOutputStream();
    int code = compiler.run(null, said, said, arguments.toArray(String[]::new));
    assertThat(code).as(said.toString(StandardCharsets.UTF_8)).isZero();
    return List.copyOf(sources.keySet());
  }

  @EnableAutoConfiguration
  @PostroadTest
  static class Application {}
}
