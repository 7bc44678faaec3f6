package io.postroad.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.StringWriter;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What cannot be meant does not compile. */
class DslCompilesTest {
  /** Each a neighbour of one that is refused, so that it is refused for its own reason. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "process().startWith(A.class).end()",
        "process().startWith(A.class).withTimeout(D).thenWait(D).end()",
        "process().startWith(A.class).thenIf(P).whenTrue(B.class).whenFalse(C.class).end()",
        "process().startWith(A.class).thenIf(P).whenTrue(B.class).then(C.class).endIf().end()",
        "process().startWith(A.class).thenIf(P).whenTrue(b -> b.startWith(B.class)).end()",
        "process().startWith(A.class).thenParallel().branch(B.class).joinAt(C.class).end()",
        "process().startWith(A.class).thenParallel().branch(b -> b.startWith(B.class)).join().end()",
        "process().startWith(A.class).withDeadline(D).end()",
      })
  void theseCompile(String expression, @TempDir Path classes) {
    assertThat(errors(expression, classes)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "process().end()",
        "process().then(A.class).end()",
        "process().startWith(A.class).thenWait(D).withTimeout(D).end()",
        "process().startWith(A.class).whenFalse(B.class).end()",
        "process().startWith(A.class).endIf().end()",
        "process().startWith(A.class).thenIf(P).end()",
        "process().startWith(A.class).thenIf(P).then(B.class).end()",
        "process().startWith(A.class).thenIf(P).whenTrue(B.class).whenTrue(C.class).end()",
        "process().startWith(A.class).thenIf(P).whenTrue(B.class).whenFalse(C.class)"
            + ".whenFalse(C.class).end()",
        "process().startWith(A.class).thenIf(P).whenTrue(b -> b.startWith(B.class)).endIf().end()",
        "process().startWith(A.class).thenIf(P).whenTrue(b -> b.startWith(B.class).end()).end()",
        "process().startWith(A.class).thenParallel().joinAt(C.class).end()",
        "process().startWith(A.class).thenParallel().branch(B.class).end()",
        "process().startWith(A.class).thenParallel().branch(B.class).then(C.class).end()",
        "process().startWith(A.class).thenParallel().branch(b -> b.startWith(B.class))"
            + ".withTimeout(D).join().end()",
        "process().startWith(A.class).thenParallel().branch(b -> b.startWith(B.class).end())"
            + ".join().end()",
        "process().startWith(A.class).thenParallel().branch(b -> b.startWith(B.class)"
            + ".withDeadline(D)).join().end()",
        "process().startWith(A.class).withDeadline(D).then(B.class).end()",
        "process().startWith(String.class).end()",
      })
  void theseDoNot(String expression, @TempDir Path classes) {
    assertThat(errors(expression, classes)).isNotEmpty();
  }

  private static List<String> errors(String expression, Path classes) {
    String code =
        """
        import io.postroad.command.DomainCommand;
        import io.postroad.process.*;
        abstract class Sample implements ProcessConfiguration {
          record A() implements DomainCommand {}
          record B() implements DomainCommand {}
          record C() implements DomainCommand {}
          static final java.time.Duration D = java.time.Duration.ofHours(1);
          static final java.util.function.Predicate<java.util.Map<String, Object>> P = d -> true;
          public ProcessGraph defineProcess() {
            return %s;
          }
        }
        """
            .formatted(expression);
    StringWriter output = new StringWriter();
    List<String> options = List.of("-proc:none", "-cp", classPath(), "-d", classes.toString());
    ToolProvider.getSystemJavaCompiler()
        .getTask(output, null, null, options, null, List.of(new Source(code)))
        .call();
    return output.toString().lines().filter(line -> line.contains("error:")).toList();
  }

  private static String classPath() {
    return Stream.of(ProcessGraph.class, NullMarked.class)
        .map(DslCompilesTest::place)
        .collect(Collectors.joining(File.pathSeparator));
  }

  private static String place(Class<?> type) {
    try {
      return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI()).toString();
    } catch (URISyntaxException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  private static final class Source extends SimpleJavaFileObject {
    private final String code;

    Source(String code) {
      super(URI.create("string:///Sample.java"), JavaFileObject.Kind.SOURCE);
      this.code = code;
    }

    @Override
    public CharSequence getCharContent(boolean ignoreEncodingErrors) {
      return code;
    }
  }
}
