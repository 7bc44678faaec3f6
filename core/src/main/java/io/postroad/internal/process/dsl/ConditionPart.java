package io.postroad.internal.process.dsl;

import io.postroad.process.Node;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/** A condition and its two branches, each of which may be empty. */
record ConditionPart(
    String id, Predicate<Map<String, Object>> predicate, List<Part> whenTrue, List<Part> whenFalse)
    implements Part {
  ConditionPart {
    whenTrue = List.copyOf(whenTrue);
    whenFalse = List.copyOf(whenFalse);
  }

  @Override
  public void assemble(Assembly assembly, Optional<String> next) {
    Node.Choice choice =
        new Node.Choice(id, Assembly.first(whenTrue, next), Assembly.first(whenFalse, next));
    assembly.add(choice, predicate);
    assembly.line(whenTrue, next, "at the beginning of whenTrue of '%s'".formatted(id));
    assembly.line(whenFalse, next, "at the beginning of whenFalse of '%s'".formatted(id));
  }

  @Override
  public String naming() {
    return "thenIf(\"another-name\", ..)";
  }
}
