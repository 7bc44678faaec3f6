package io.postroad.test;

import io.postroad.command.CommandReply;
import io.postroad.process.FailureKind;
import io.postroad.process.ProcessEvent;
import io.postroad.process.ProcessInstance;
import io.postroad.process.ProcessStatus;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Predicate;

/** Compares a process on a stage with the expectations of a test. For one thread. */
final class ProcessFindings {
  private final ProcessStage stage;
  private int sentBefore;
  private int loggedBefore;

  ProcessFindings(ProcessStage stage) {
    this.stage = stage;
  }

  /** Notes the present state before a call. */
  void from() {
    sentBefore = stage.sent().size();
    loggedBefore = stage.logged();
  }

  /** Returns the commands that were sent since then. */
  List<SentCommand> commands() {
    return List.copyOf(stage.sent().subList(sentBefore, stage.sent().size()));
  }

  /** Returns the open command of this name that can be answered now. */
  SentCommand due(String name) {
    SentCommand command = open(name);
    if (!isDue(command)) {
      throw wrong("%s has not begun yet, it is %s: let time pass".formatted(command, now()));
    }
    return command;
  }

  List<SentCommand> allDue() {
    return stage.open().stream().filter(this::isDue).toList();
  }

  private boolean isDue(SentCommand command) {
    return command.notBefore().filter(stage.clock().instant()::isBefore).isEmpty();
  }

  private String now() {
    return stage.clock().instant().toString();
  }

  SentCommand open(String name) {
    List<SentCommand> found = named(stage.open(), name);
    if (found.isEmpty()) {
      throw wrong("no command '%s' is open".formatted(name));
    }
    if (found.size() > 1) {
      throw wrong("several commands '%s' are open, call one by its step".formatted(name));
    }
    return found.get(0);
  }

  /** Finds by step, or by type if no step has that name. */
  private static List<SentCommand> named(List<SentCommand> commands, String name) {
    List<SentCommand> found =
        commands.stream().filter(each -> !each.isUndo() && each.step().equals(name)).toList();
    return found.isEmpty()
        ? commands.stream().filter(each -> each.type().equals(name)).toList()
        : found;
  }

  /** Returns the last command of this name that another service may still reply to. */
  SentCommand timedOut(String name) {
    SentCommand late =
        last(name, stage::isTimedOut)
            .orElseThrow(() -> wrong("no command '%s' has timed out lately".formatted(name)));
    if (!stage.isElsewhere(late)) {
      throw wrong(
          ("%s was not begun when it timed out, so no reply comes: if another service handles it, say"
                  + " so with ProcessFixture.builder(..).handledByOthers(\"%s\")")
              .formatted(late, late.type()));
    }
    return late;
  }

  CommandReply lastReply(String name) {
    return last(name, command -> stage.reply(command).isPresent())
        .flatMap(stage::reply)
        .orElseThrow(() -> wrong("no reply came to a command '%s'".formatted(name)));
  }

  private Optional<SentCommand> last(String name, Predicate<SentCommand> which) {
    List<SentCommand> found = named(stage.sent(), name).stream().filter(which).toList();
    return found.isEmpty() ? Optional.empty() : Optional.of(found.get(found.size() - 1));
  }

  void commands(List<String> types) {
    if (!commands().stream().map(SentCommand::type).toList().equals(types)) {
      throw wrong("expected the commands %s, got %s".formatted(types, commands()));
    }
  }

  void payloads(List<String> types, List<Map<String, Object>> payloads) {
    commands(types);
    for (int i = 0; i < payloads.size(); i++) {
      SentCommand command = commands().get(i);
      Map<String, Object> expected = payloads.get(i);
      if (!withoutNulls(command.payload()).equals(withoutNulls(expected))) {
        throw wrong("expected %s %s, got %s".formatted(types.get(i), expected, command));
      }
    }
  }

  /** Treats an absent field and a null field as equal. */
  private static Map<String, Object> withoutNulls(Map<String, Object> payload) {
    Map<String, Object> some = new HashMap<>(payload);
    some.values().removeIf(Objects::isNull);
    return some;
  }

  void command(String type, Map<String, Object> fields) {
    commands(List.of(type));
    SentCommand command = commands().get(0);
    if (!command.payload().entrySet().containsAll(fields.entrySet())) {
      throw wrong("expected %s with %s, got %s".formatted(type, fields, command));
    }
  }

  void nothing() {
    List<String> news = lines().subList(loggedBefore, lines().size());
    if (!news.isEmpty()) {
      throw wrong("expected that nothing happens, but %s did".formatted(news));
    }
  }

  void status(ProcessStatus status) {
    if (instance().status() != status) {
      throw wrong("expected %s, got %s".formatted(status, instance().status()));
    }
  }

  void failure(FailureKind kind) {
    Optional<String> got = stage.stored().summary().failureKind();
    if (!got.equals(Optional.of(kind.name()))) {
      throw wrong("expected the failure %s, got %s".formatted(kind, got.orElse("none")));
    }
  }

  void data(Map<String, Object> data) {
    if (!instance().data().entrySet().containsAll(data.entrySet())) {
      throw wrong("expected data with %s, got %s".formatted(data, instance().data()));
    }
  }

  void compensated(List<String> steps) {
    List<String> undone =
        stage.log().stream()
            .filter(ProcessEvent.CompensationCompleted.class::isInstance)
            .map(event -> event.about().orElseThrow())
            .toList();
    if (!undone.equals(steps)) {
      throw wrong("expected that %s were undone, got %s".formatted(steps, undone));
    }
  }

  void log(List<String> lines) {
    Iterator<String> rest = lines().iterator();
    for (String line : lines) {
      boolean isThere = false;
      while (!isThere && rest.hasNext()) {
        isThere = rest.next().equals(line);
      }
      if (!isThere) {
        throw wrong(
            "expected %s in the log, in this order; '%s' is not there".formatted(lines, line));
      }
    }
  }

  List<String> lines() {
    List<String> lines = new ArrayList<>();
    stage
        .log()
        .forEach(event -> lines.add((event.type() + " " + event.about().orElse("")).strip()));
    return lines;
  }

  private ProcessInstance instance() {
    return stage.manager().getProcessRepository().findById(stage.id()).orElseThrow();
  }

  /** Returns an error with the expectation and the present process. */
  AssertionError wrong(String text) {
    ProcessInstance is = instance();
    return new AssertionError(
        "%s%nprocess %s '%s' is %s at %s%ndata: %s%nopen commands: %s%nlog:%n  %s"
            .formatted(
                text,
                is.processType(),
                is.businessKey(),
                is.status(),
                is.currentStep(),
                is.data(),
                stage.open(),
                String.join(System.lineSeparator() + "  ", lines())));
  }
}
