package io.postroad.process;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * A process and the world around it, as the model check sees them: which commands are out, and
 * which steps really have an effect. Immutable.
 *
 * @param state of the process
 * @param commands that may still be replied to
 * @param effects steps whose effect exists or may exist, in the order in which it came about
 */
record ModelWorld(ProcessState state, Map<UUID, Out> commands, List<String> effects) {

  /**
   * A command that may still be replied to.
   *
   * @param step whose command it is
   * @param isUndo whether it undoes the step
   * @param isGivenUp whether the process has been told that it timed out
   */
  record Out(String step, boolean isUndo, boolean isGivenUp) {}

  ModelWorld with(ProcessState next) {
    return new ModelWorld(next, commands, effects);
  }

  ModelWorld sent(UUID command, Out out) {
    Map<UUID, Out> more = new LinkedHashMap<>(commands);
    more.put(command, out);
    return new ModelWorld(state, more, effects);
  }

  ModelWorld ended(UUID command) {
    Map<UUID, Out> fewer = new LinkedHashMap<>(commands);
    fewer.remove(command);
    return new ModelWorld(state, fewer, effects);
  }

  ModelWorld withEffect(String step) {
    List<String> more = new ArrayList<>(effects);
    more.remove(step);
    more.add(step);
    return new ModelWorld(state, commands, List.copyOf(more));
  }

  ModelWorld withoutEffect(String step) {
    List<String> fewer = new ArrayList<>(effects);
    fewer.remove(step);
    return new ModelWorld(state, commands, List.copyOf(fewer));
  }

  /** What two worlds that behave alike from here on have in common: no times, ids and data. */
  String key() {
    StringBuilder key = new StringBuilder(256);
    key.append(state.status()).append(state.kind().map(Enum::name).orElse(""));
    state.all().stream()
        .sorted(Comparator.comparing(StepMark::node))
        .forEach(mark -> add(key, mark));
    commands.entrySet().stream()
        .map(entry -> role(entry.getKey(), entry.getValue()))
        .sorted()
        .forEach(key::append);
    key.append(effects);
    state.arrived().forEach((join, branches) -> key.append(join).append(branches.size()));
    state.all().stream()
        .filter(mark -> mark.order() > 0)
        .sorted(Comparator.comparingLong(StepMark::order))
        .forEach(mark -> key.append('>').append(mark.node()));
    return key.toString();
  }

  private static void add(StringBuilder key, StepMark mark) {
    key.append(';').append(mark.node()).append(' ').append(mark.state());
    for (int count :
        new int[] {
          mark.attempt(),
          mark.running().size(),
          mark.unknown().size(),
          mark.done().size(),
          mark.refused().size(),
          mark.undos().size()
        }) {
      key.append(count).append(' ');
    }
  }

  /** Which of its attempts a command is. */
  private String role(UUID command, Out out) {
    StepMark mark = state.mark(out.step()).orElseThrow();
    int attempt = out.isUndo() ? mark.undos().indexOf(command) : mark.commands().indexOf(command);
    return "|" + out.step() + (out.isUndo() ? '-' : '+') + attempt + (out.isGivenUp() ? '?' : '!');
  }
}
