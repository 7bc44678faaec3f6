package io.postroad.internal.process.dsl;

import io.postroad.command.CommandType;
import io.postroad.command.DomainCommand;
import io.postroad.internal.process.check.CommandFields;
import io.postroad.process.Node;
import io.postroad.process.StepRetry;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** A step under construction. */
final class StepDraft implements Part {
  private final String name;
  private final Class<? extends DomainCommand> command;
  private @Nullable Class<? extends DomainCommand> compensation;
  private @Nullable Duration undoTimeout;
  private @Nullable Duration timeout;
  private @Nullable StepRetry retry;
  private @Nullable UnaryOperator<Map<String, Object>> input;
  private boolean isPointOfNoReturn;

  private StepDraft(String name, Class<? extends DomainCommand> command) {
    this.name = name;
    this.command = command;
  }

  static StepDraft of(String name, Class<? extends DomainCommand> command) {
    Checks.name("step", name);
    CommandType.of(command);
    return new StepDraft(name, command);
  }

  @Override
  public String id() {
    return name;
  }

  void withCompensation(Class<? extends DomainCommand> undo) {
    CommandType.of(undo);
    compensation = once("withCompensation", compensation, undo);
  }

  void withCompensation(Class<? extends DomainCommand> undo, Duration after) {
    Checks.positive("the timeout of the compensation of step '%s'".formatted(name), after);
    withCompensation(undo);
    undoTimeout = after;
  }

  void withTimeout(Duration after) {
    Checks.positive("the timeout of step '%s'".formatted(name), after);
    timeout = once("withTimeout", timeout, after);
  }

  void withRetry(StepRetry rule) {
    retry = once("withRetry", retry, rule);
  }

  void withInput(UnaryOperator<Map<String, Object>> function) {
    input = once("withInput", input, function);
  }

  void pointOfNoReturn() {
    isPointOfNoReturn = true;
  }

  private <T> T once(String call, @Nullable T before, T now) {
    if (before != null) {
      throw new IllegalArgumentException("step '%s' has %s twice".formatted(name, call));
    }
    return Objects.requireNonNull(now, call);
  }

  /** Returns whether this is the same step, written again at the end of another branch. */
  boolean isSameAs(StepDraft other) {
    return name.equals(other.name) && command.equals(other.command);
  }

  /**
   * Merges the settings of a step that is written twice.
   *
   * @throws IllegalArgumentException when they differ
   */
  StepDraft and(StepDraft other) {
    StepDraft both = new StepDraft(name, command);
    both.compensation = agreed("withCompensation", compensation, other.compensation);
    both.undoTimeout = agreed("timeout of withCompensation", undoTimeout, other.undoTimeout);
    both.timeout = agreed("withTimeout", timeout, other.timeout);
    both.retry = agreed("withRetry", retry, other.retry);
    both.input = agreed("withInput", input, other.input);
    both.isPointOfNoReturn = isPointOfNoReturn || other.isPointOfNoReturn;
    return both;
  }

  private <T> @Nullable T agreed(String call, @Nullable T here, @Nullable T there) {
    if (here != null && there != null && !here.equals(there)) {
      throw new IllegalArgumentException(
          "step '%s' is where two branches meet and has a different %s in each: say it in one"
              .formatted(name, call));
    }
    return here != null ? here : there;
  }

  @Override
  public void assemble(Assembly assembly, Optional<String> next) {
    Node.Step step =
        new Node.Step(
            name,
            CommandType.of(command),
            CommandFields.of(command),
            input != null,
            Optional.ofNullable(compensation).map(this::undo),
            Optional.ofNullable(timeout),
            Optional.ofNullable(retry),
            isPointOfNoReturn,
            next);
    assembly.add(step, Optional.ofNullable(input));
  }

  private Node.Undo undo(Class<? extends DomainCommand> command) {
    return new Node.Undo(
        CommandType.of(command), CommandFields.of(command), Optional.ofNullable(undoTimeout));
  }

  @Override
  public String naming() {
    return "then(\"Second%s\", %s.class)".formatted(name, command.getSimpleName());
  }
}
