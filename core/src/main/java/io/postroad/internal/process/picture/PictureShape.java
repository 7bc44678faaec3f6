package io.postroad.internal.process.picture;

import io.postroad.process.Node;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A node as it is drawn.
 *
 * @param lines its text, the name first
 * @param undo the command that undoes it
 * @param look how it looks in the present state; empty when it was not reached
 */
record PictureShape(
    String id,
    Form form,
    List<String> lines,
    Optional<String> undo,
    boolean isPointOfNoReturn,
    Optional<Look> look) {

  PictureShape {
    lines = List.copyOf(lines);
  }

  /** Its outline. */
  enum Form {
    STEP,
    CHOICE,
    BAR,
    PAUSE,
    END
  }

  /** How it looks. */
  enum Look {
    DONE,
    FAILED,
    UNDONE,
    ACTIVE;

    /** Converts a state of the engine; an unknown one counts as running. */
    static Look of(String state) {
      return switch (state) {
        case "COMPLETED", "PASSED" -> DONE;
        case "FAILED", "UNKNOWN", "UNDO_FAILED" -> FAILED;
        case "UNDOING", "UNDONE", "RECALLED", "SKIPPED" -> UNDONE;
        default -> ACTIVE;
      };
    }
  }

  static PictureShape end() {
    return new PictureShape(
        Picture.END, Form.END, List.of("end"), Optional.empty(), false, Optional.empty());
  }

  static PictureShape of(Node node, Optional<String> state) {
    List<String> lines = new ArrayList<>(List.of(node.id()));
    lines.addAll(details(node));
    state.ifPresent(lines::add);
    Optional<Node.Step> step =
        Optional.of(node).filter(Node.Step.class::isInstance).map(Node.Step.class::cast);
    return new PictureShape(
        node.id(),
        form(node),
        lines,
        step.flatMap(Node.Step::undo).map(Node.Undo::command),
        step.filter(Node.Step::isPointOfNoReturn).isPresent(),
        state.map(Look::of));
  }

  private static Form form(Node node) {
    if (node instanceof Node.Step) {
      return Form.STEP;
    }
    if (node instanceof Node.Choice) {
      return Form.CHOICE;
    }
    return node instanceof Node.Fork || node instanceof Node.Join ? Form.BAR : Form.PAUSE;
  }

  private static List<String> details(Node node) {
    List<String> details = new ArrayList<>();
    if (node instanceof Node.Step step) {
      if (!step.command().equals(step.id())) {
        details.add(step.command());
      }
      step.timeout().ifPresent(timeout -> details.add("timeout " + timeout));
      if (step.isPointOfNoReturn()) {
        details.add("point of no return");
      }
    }
    if (node instanceof Node.Wait wait) {
      details.add("wait " + wait.duration());
    }
    if (node instanceof Node.Await await) {
      details.add("signal " + await.signal());
      await.timeout().ifPresent(timeout -> details.add("timeout " + timeout));
    }
    return details;
  }
}
