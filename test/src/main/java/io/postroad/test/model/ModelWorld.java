package io.postroad.test.model;

import io.postroad.internal.process.engine.ProcessState;
import io.postroad.internal.process.engine.StepProgress;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Process with the world around it: commands without a reply, and steps that really have an effect.
 * Immutable.
 *
 * @param state state of the process
 * @param commands commands that may still be replied to
 * @param effects steps with an effect that exists or may exist, in the order of these effects
 */
record ModelWorld(ProcessState state, Map<UUID, Out> commands, List<String> effects) {

  /**
   * Command that may still be replied to.
   *
   * @param step the step of the command
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

  /**
   * Returns a key that is equal for worlds that behave alike from here on: without times, ids and
   * data. It has one character for each part, since millions of keys are kept.
   *
   * @param nodes the ids of all nodes, always in the same order
   */
  @SuppressWarnings("EnumOrdinal") // Keys are compared within one check and stored nowhere.
  String key(List<String> nodes) {
    StringBuilder key = new StringBuilder(16 * nodes.size());
    add(key, state.status().ordinal());
    add(key, state.failure().map(failure -> 1 + failure.kind().ordinal()).orElse(0));
    for (String node : nodes) {
      @Nullable StepProgress mark = state.progress(node).orElse(null);
      add(key, mark == null ? 0 : 1 + mark.state().ordinal());
      if (mark != null) {
        add(key, mark);
      }
      add(key, state.arrived(node).size());
    }
    int[] out = new int[commands.size()];
    int next = 0;
    for (Map.Entry<UUID, Out> command : commands.entrySet()) {
      out[next++] = role(nodes, command.getKey(), command.getValue());
    }
    Arrays.sort(out);
    add(key, out.length);
    for (int role : out) {
      add(key, role);
    }
    for (String step : effects) {
      add(key, nodes.indexOf(step));
    }
    return key.toString();
  }

  private void add(StringBuilder key, StepProgress mark) {
    add(key, mark.attempt());
    add(key, mark.running().size());
    add(key, mark.unknown().size());
    add(key, mark.done().size());
    add(key, mark.refused().size());
    add(key, mark.undos().size());
    add(key, mark.order() > 0 ? 1 + doneBefore(mark) : 0);
  }

  private int doneBefore(StepProgress mark) {
    int before = 0;
    for (StepProgress other : state.all()) {
      if (other.order() > 0 && other.order() < mark.order()) {
        before++;
      }
    }
    return before;
  }

  /** Returns a number for step, attempt and kind of a command. */
  private int role(List<String> nodes, UUID command, Out out) {
    StepProgress mark = state.progress(out.step()).orElseThrow();
    List<UUID> attempts = out.isUndo() ? mark.undos() : mark.commands();
    int kind = (out.isUndo() ? 2 : 0) + (out.isGivenUp() ? 1 : 0);
    return ((1 + attempts.indexOf(command)) * nodes.size() + nodes.indexOf(out.step())) * 4 + kind;
  }

  private static void add(StringBuilder key, int part) {
    if (part < Character.MIN_VALUE || part > Character.MAX_VALUE) {
      throw new IllegalStateException("too many parts for a key: " + part);
    }
    key.append((char) part);
  }
}
