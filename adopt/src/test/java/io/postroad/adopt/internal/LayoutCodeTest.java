package io.postroad.adopt.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.postroad.layout.Counting;
import io.postroad.layout.Fallback;
import io.postroad.layout.Field;
import io.postroad.layout.Layout;
import io.postroad.layout.Layouts;
import io.postroad.layout.PayloadForm;
import io.postroad.layout.Statuses;
import java.io.StringWriter;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.time.Duration;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class LayoutCodeTest {
  static Stream<Layout> layouts() {
    Layout plain =
        Layout.of("mails", "shop.mails", Statuses.of("new", "sent", "dead"))
            .with(Field.ID, "id")
            .with(Field.PAYLOAD, "body")
            .with(Field.DESTINATION, Fallback.to("mails"));
    return Stream.of(
            Layouts.ofTables().stream(),
            Layouts.ofCollections().stream(),
            Stream.of(
                plain,
                Layouts.paymentOutbox().withTable("billing.events"),
                Layouts.messagingPlatform(7).with(Field.LAST_ERROR, "why"),
                Layouts.advertMarket().withPayload(PayloadForm.JSON).withExclusive(true),
                Layouts.recurringRules().withRevivesFailed(false).withMinAge(Duration.ofMillis(5)),
                Layouts.brokerless().withStatuses(Statuses.of("a", "b", "c")),
                Layout.of("debezium", "by_hand", Statuses.of("a", "b", "c"))
                    .with(Field.ID, "no_other_column_of_debezium")
                    .with(Field.PAYLOAD, "p"),
                plain.withStatuses(
                    Statuses.of("new", "sent", "dead").withProcessing("busy").withWaiting("later")),
                plain.with(Field.KEY, Fallback.to("to-", Field.TENANT)).withExecutions(2),
                plain.withZone(ZoneId.of("Europe/Warsaw")).withMinAge(Duration.ofSeconds(3)),
                plain.withZone(ZoneOffset.ofHours(9)).withStrangersAfter(Duration.ofHours(1)),
                plain.withCounting(Counting.AT_CLAIM).withPayload(PayloadForm.BASE64),
                plain.with(Field.TYPE, "say \"hi\" \\u0041 \t zażółć"),
                Layouts.debezium().withRowsAreDelivered(true),
                plain.withRevivesFailed(true).withExclusive(true).withOrdered(true)))
        .flatMap(each -> each);
  }

  @ParameterizedTest
  @MethodSource("layouts")
  void theCodeBuildsTheSameLayout(Layout layout, @TempDir Path classes) throws Exception {
    assertThat(build(LayoutCode.lines(layout), classes)).isEqualTo(layout);
  }

  @Test
  void aShippedLayoutIsNamedAndOnlyItsDifferencesAreSpeltOut() {
    Layout layout =
        Layouts.paymentOutbox().withTable("billing.events").withPayload(PayloadForm.JSON);

    assertThat(LayoutCode.lines(layout))
        .containsExactly(
            "import io.postroad.layout.Layout;",
            "import io.postroad.layout.Layouts;",
            "import io.postroad.layout.PayloadForm;",
            "",
            "Layout layout =",
            "    Layouts.paymentOutbox()",
            "        .withTable(\"billing.events\")",
            "        .withPayload(PayloadForm.JSON);");
  }

  private static Layout build(List<String> code, Path classes) throws Exception {
    int empty = code.indexOf("");
    List<String> source = new ArrayList<>(code.subList(0, empty));
    source.add("public class Built implements java.util.function.Supplier<Layout> {");
    source.add("  public Layout get() {");
    source.addAll(code.subList(empty, code.size()));
    source.add("    return layout;");
    source.add("  }");
    source.add("}");
    compile(String.join("\n", source), classes);
    assertEveryImportIsUsed(code.subList(0, empty), code.subList(empty, code.size()));
    try (URLClassLoader loader =
        new URLClassLoader(
            new URL[] {classes.toUri().toURL()}, LayoutCodeTest.class.getClassLoader())) {
      Object built = loader.loadClass("Built").getDeclaredConstructor().newInstance();
      return (Layout) ((java.util.function.Supplier<?>) built).get();
    }
  }

  private static void assertEveryImportIsUsed(List<String> imports, List<String> body) {
    assertThat(imports)
        .allSatisfy(
            line ->
                assertThat(String.join("\n", body))
                    .containsPattern(
                        "\\b%s\\b"
                            .formatted(
                                line.substring(line.lastIndexOf('.') + 1, line.length() - 1))));
  }

  private static void compile(String source, Path classes) {
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    StringWriter messages = new StringWriter();
    boolean compiled =
        compiler
            .getTask(
                messages,
                null,
                null,
                List.of(
                    "-proc:none",
                    "-classpath",
                    System.getProperty("java.class.path"),
                    "-d",
                    classes.toString()),
                null,
                List.of(new Source(source)))
            .call();
    assertThat(compiled).as("%s%n%s", source, messages).isTrue();
  }

  private static final class Source extends SimpleJavaFileObject {
    private final String code;

    Source(String code) {
      super(URI.create("string:///Built.java"), Kind.SOURCE);
      this.code = code;
    }

    @Override
    public CharSequence getCharContent(boolean ignoreEncodingErrors) {
      return code;
    }
  }
}
