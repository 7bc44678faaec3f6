package io.postroad.internal.process.runtime;

import io.postroad.internal.process.engine.Effect;
import io.postroad.internal.process.engine.Engine;
import io.postroad.internal.process.engine.Environment;
import io.postroad.internal.process.engine.Input;
import io.postroad.internal.process.engine.Input.Operated;
import io.postroad.internal.process.engine.Input.RecallAnswered;
import io.postroad.internal.process.engine.Input.Replied;
import io.postroad.internal.process.engine.Input.Reply;
import io.postroad.internal.process.engine.Input.Verb;
import io.postroad.internal.process.engine.ProcessState;
import io.postroad.internal.process.engine.Result;
import io.postroad.process.UndoPreview;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/** Previews a cancellation: runs the engine as if every recall and undo worked. */
public final class UndoPreviews {
  private UndoPreviews() {}

  public static List<UndoPreview> of(Engine engine, ProcessState state) {
    List<UndoPreview> previews = new ArrayList<>();
    Environment environment =
        new Environment(
            state.updatedAt(), Duration.ofNanos(1_000), UUID::randomUUID, engine.graph()::decide);
    ProcessState now = resumed(state);
    Deque<Input> inputs =
        new ArrayDeque<>(
            List.of(new Operated(Verb.CANCEL, Optional.empty(), "preview", "preview")));
    while (!inputs.isEmpty()) {
      Result result = engine.on(now, inputs.removeFirst(), environment);
      now = result.state();
      for (Effect effect : result.effects()) {
        if (effect instanceof Effect.Recall recall) {
          inputs.add(new RecallAnswered(recall.command(), true));
        } else if (effect instanceof Effect.Send send) {
          previews.add(new UndoPreview(send.step(), send.type(), send.payload()));
          inputs.add(new Replied(send.command(), new Reply.Done(Map.of())));
        }
      }
    }
    return previews;
  }

  /** Resumes the process in the preview: a paused one is undone after its resume. */
  private static ProcessState resumed(ProcessState state) {
    ProcessState.Draft draft = state.change();
    draft.isPaused = false;
    return draft.at(state.updatedAt());
  }
}
