package io.postroad.process;

import io.postroad.process.Happening.Operated;
import io.postroad.process.Happening.RecallAnswered;
import io.postroad.process.Happening.Replied;
import io.postroad.process.Happening.Reply;
import io.postroad.process.Happening.Verb;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/** What a cancellation would undo: the engine is let run with everything recalled and undone. */
final class UndoPreviews {
  private UndoPreviews() {}

  static List<UndoPreview> of(Engine engine, ProcessState state) {
    List<UndoPreview> previews = new ArrayList<>();
    Moment moment =
        new Moment(
            state.updatedAt(), Duration.ofNanos(1_000), UUID::randomUUID, engine.graph()::decide);
    ProcessState now = resumed(state);
    Deque<Happening> happenings =
        new ArrayDeque<>(
            List.of(new Operated(Verb.CANCEL, Optional.empty(), "preview", "preview")));
    while (!happenings.isEmpty()) {
      Advance advance = engine.on(now, happenings.removeFirst(), moment);
      now = advance.state();
      for (Effect effect : advance.effects()) {
        if (effect instanceof Effect.Recall recall) {
          happenings.add(new RecallAnswered(recall.command(), true));
        } else if (effect instanceof Effect.Send send) {
          previews.add(new UndoPreview(send.step(), send.type(), send.payload()));
          happenings.add(new Replied(send.command(), new Reply.Done(Map.of())));
        }
      }
    }
    return previews;
  }

  /** A cancelled process that is paused is undone when it is resumed. */
  private static ProcessState resumed(ProcessState state) {
    ProcessState.Draft draft = state.change();
    draft.isPaused = false;
    return draft.at(state.updatedAt());
  }
}
