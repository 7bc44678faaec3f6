package io.postroad.internal.process.dsl;

import io.postroad.process.Node;
import java.util.List;
import java.util.Optional;

/** Parallel branches and their join. */
record ForkPart(String id, String join, List<List<Part>> branches) implements Part {
  ForkPart {
    branches = List.copyOf(branches);
  }

  @Override
  public void assemble(Assembly assembly, Optional<String> next) {
    assembly.add(new Node.Fork(id, branches.stream().map(this::first).toList(), join));
    for (int i = 0; i < branches.size(); i++) {
      String beginning = "at the beginning of branch %d of '%s'".formatted(i + 1, id);
      assembly.line(branches.get(i), Optional.of(join), beginning);
    }
    assembly.name(join, "at the end of '%s'".formatted(id), naming());
    assembly.add(new Node.Join(join, id, next));
  }

  private String first(List<Part> branch) {
    if (branch.isEmpty()) {
      throw new IllegalArgumentException(
          "a branch of '%s' has no steps: leave it out, or begin it with startWith(..)"
              .formatted(id));
    }
    return branch.get(0).id();
  }

  @Override
  public String naming() {
    return "then(\"MyStep\", ..): fork-n and join-n are positions";
  }
}
