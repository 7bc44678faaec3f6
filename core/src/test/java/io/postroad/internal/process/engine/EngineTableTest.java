package io.postroad.internal.process.engine;

import static io.postroad.internal.process.engine.EngineBench.FOR_NOW;
import static io.postroad.process.dsl.Processes.process;
import static org.assertj.core.api.Assertions.assertThat;

import io.postroad.internal.process.engine.Input.Reply;
import io.postroad.internal.process.engine.Input.Verb;
import io.postroad.internal.process.engine.Result.Outcome;
import io.postroad.process.Commands.NotifyCommand;
import io.postroad.process.Commands.Step1Command;
import io.postroad.process.Commands.Step2Command;
import io.postroad.process.Commands.Undo1Command;
import io.postroad.process.ProcessGraph;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The table of the engine, each cell a test: where the second of three steps is, what happens to
 * it, and what comes of it. The first step can be undone as well, and is done. What a cell leaves
 * out is not logged.
 */
class EngineTableTest {
  private static final String STEP = "Step2";

  /** Where a step can be, and how it gets there. */
  enum Place {
    QUEUED {
      @Override
      EngineBench reach() {
        return begun(1);
      }
    },
    /** Somebody has its command, and the process is to be undone. */
    CLAIMED_CANCELLED {
      @Override
      EngineBench reach() {
        EngineBench bench = begun(1);
        bench.isRecalled = false;
        bench.operate(Verb.CANCEL, STEP);
        return bench;
      }
    },
    RETRYING {
      @Override
      EngineBench reach() {
        EngineBench bench = begun(1);
        bench.reply(bench.newest(STEP), new Reply.Failed(FOR_NOW));
        return bench;
      }
    },
    /** Its first attempt timed out and may have been done. */
    RETRYING_MAYBE {
      @Override
      EngineBench reach() {
        EngineBench bench = begun(1);
        bench.reply(bench.newest(STEP), new Reply.TimedOut(true));
        return bench;
      }
    },
    HELD {
      @Override
      EngineBench reach() {
        EngineBench bench = new EngineBench(graph(), 1, 0).start(Map.of());
        bench.operate(Verb.PAUSE, STEP);
        bench.reply(bench.newest("Step1"), new Reply.Done(Map.of()));
        return bench;
      }
    },
    HELD_AGAIN {
      @Override
      EngineBench reach() {
        return paused(1, new Reply.Failed(FOR_NOW));
      }
    },
    HELD_MAYBE {
      @Override
      EngineBench reach() {
        return paused(1, new Reply.TimedOut(true));
      }
    },
    COMPLETED {
      @Override
      EngineBench reach() {
        EngineBench bench = begun(1);
        bench.reply(bench.newest(STEP), new Reply.Done(Map.of("id", 1)));
        return bench;
      }
    },
    /** To be undone when the process is resumed. */
    COMPLETED_CANCELLED {
      @Override
      EngineBench reach() {
        EngineBench bench = paused(1, new Reply.Done(Map.of("id", 1)));
        bench.operate(Verb.CANCEL, STEP);
        return bench;
      }
    },
    UNKNOWN {
      @Override
      EngineBench reach() {
        return paused(0, new Reply.TimedOut(true));
      }
    },
    FAILED {
      @Override
      EngineBench reach() {
        return paused(0, new Reply.Failed("closed"));
      }
    },
    FAILED_MAYBE {
      @Override
      EngineBench reach() {
        EngineBench bench = RETRYING_MAYBE.reach();
        bench.operate(Verb.PAUSE, STEP);
        bench.reply(bench.newest(STEP), new Reply.Failed("closed"));
        return bench;
      }
    },
    RECALLED {
      @Override
      EngineBench reach() {
        EngineBench bench = begun(1);
        bench.operate(Verb.PAUSE, STEP);
        bench.operate(Verb.CANCEL, STEP);
        return bench;
      }
    },
    RECALLED_MAYBE {
      @Override
      EngineBench reach() {
        EngineBench bench = RETRYING_MAYBE.reach();
        bench.operate(Verb.PAUSE, STEP);
        bench.operate(Verb.CANCEL, STEP);
        return bench;
      }
    },
    SKIPPED {
      @Override
      EngineBench reach() {
        EngineBench bench = new EngineBench(withoutFirstUndo(), 0, 0).start(Map.of());
        bench.reply(bench.newest("Step1"), new Reply.Done(Map.of()));
        bench.reply(bench.newest(STEP), new Reply.Failed("closed"));
        bench.operate(Verb.SKIP, STEP);
        return bench;
      }
    },
    UNDOING {
      @Override
      EngineBench reach() {
        EngineBench bench = COMPLETED.reach();
        bench.operate(Verb.CANCEL, STEP);
        return bench;
      }
    },
    UNDOING_UNKNOWN {
      @Override
      EngineBench reach() {
        EngineBench bench = begun(0);
        bench.reply(bench.newest(STEP), new Reply.TimedOut(true));
        return bench;
      }
    },
    UNDONE {
      @Override
      EngineBench reach() {
        EngineBench bench = UNDOING.reach();
        bench.reply(undo(bench), new Reply.Done(Map.of()));
        return bench;
      }
    },
    UNDONE_UNKNOWN {
      @Override
      EngineBench reach() {
        EngineBench bench = UNDOING_UNKNOWN.reach();
        bench.reply(undo(bench), new Reply.Done(Map.of()));
        return bench;
      }
    },
    UNDO_FAILED {
      @Override
      EngineBench reach() {
        EngineBench bench = UNDOING.reach();
        bench.reply(undo(bench), new Reply.Failed("locked"));
        return bench;
      }
    },
    TERMINATED {
      @Override
      EngineBench reach() {
        EngineBench bench = begun(1);
        bench.isRecalled = false;
        bench.operate(Verb.TERMINATE, STEP);
        return bench;
      }
    };

    abstract EngineBench reach();
  }

  /** What can happen to it. */
  enum What {
    DONE,
    FAILED_FOR_NOW,
    FAILED_FOR_GOOD,
    TIMED_OUT_MAYBE_DONE,
    TIMED_OUT_IN_THE_QUEUE,
    FIRST_ATTEMPT_DONE,
    FIRST_ATTEMPT_FAILED,
    CANCEL,
    UNDO_DONE,
    UNDO_FAILED,
    UNDO_TIMED_OUT;

    Outcome to(EngineBench bench) {
      return switch (this) {
        case DONE -> bench.reply(newest(bench), new Reply.Done(Map.of("id", 2)));
        case FAILED_FOR_NOW -> bench.reply(newest(bench), new Reply.Failed(FOR_NOW));
        case FAILED_FOR_GOOD -> bench.reply(newest(bench), new Reply.Failed("closed"));
        case TIMED_OUT_MAYBE_DONE -> bench.reply(newest(bench), new Reply.TimedOut(true));
        case TIMED_OUT_IN_THE_QUEUE -> bench.reply(newest(bench), new Reply.TimedOut(false));
        case FIRST_ATTEMPT_DONE -> bench.reply(first(bench), new Reply.Done(Map.of("id", 1)));
        case FIRST_ATTEMPT_FAILED -> bench.reply(first(bench), new Reply.Failed("closed"));
        case CANCEL -> bench.operate(Verb.CANCEL, STEP);
        case UNDO_DONE -> bench.reply(undo(bench), new Reply.Done(Map.of()));
        case UNDO_FAILED -> bench.reply(undo(bench), new Reply.Failed("locked"));
        case UNDO_TIMED_OUT -> bench.reply(undo(bench), new Reply.TimedOut(true));
      };
    }
  }

  static Stream<String> cells() {
    return lines("engine-table.txt").filter(line -> !line.startsWith("#") && !line.isBlank());
  }

  @ParameterizedTest
  @MethodSource("cells")
  void cell(String line) {
    List<String> cell = Arrays.stream(line.split("\\|")).map(String::strip).toList();
    assertThat(outcome(Place.valueOf(cell.get(0)), What.valueOf(cell.get(1)))).isEqualTo(line);
  }

  @Test
  void thereIsACellForEveryPair() {
    List<String> pairs =
        Arrays.stream(Place.values())
            .flatMap(place -> Arrays.stream(What.values()).map(what -> place + "|" + what))
            .toList();
    assertThat(
            cells().map(line -> line.replace(" ", "").replaceFirst("^([^|]*[|][^|]*)[|].*", "$1")))
        .containsExactlyInAnyOrderElementsOf(pairs);
  }

  private static String outcome(Place place, What what) {
    EngineBench bench = place.reach();
    int before = bench.log.size();
    Outcome outcome = what.to(bench);
    return "%-19s | %-22s | %-11s | %-11s | %-12s | %s"
        .formatted(
            place,
            what,
            outcome,
            bench.progress(STEP).state(),
            bench.state.status(),
            bench.logFrom(before))
        .strip();
  }

  private static ProcessGraph graph() {
    return process()
        .startWith(Step1Command.class)
        .withCompensation(Undo1Command.class)
        .then(Step2Command.class)
        .withCompensation(Undo1Command.class)
        .then(NotifyCommand.class)
        .end();
  }

  private static ProcessGraph withoutFirstUndo() {
    return process()
        .startWith(Step1Command.class)
        .then(Step2Command.class)
        .withCompensation(Undo1Command.class)
        .then(NotifyCommand.class)
        .end();
  }

  /** The second step is queued. */
  private static EngineBench begun(int retries) {
    EngineBench bench = new EngineBench(graph(), retries, 0).start(Map.of());
    bench.reply(bench.newest("Step1"), new Reply.Done(Map.of()));
    return bench;
  }

  /** The reply of the second step comes while the process is paused. */
  private static EngineBench paused(int retries, Reply reply) {
    EngineBench bench = begun(retries);
    bench.operate(Verb.PAUSE, STEP);
    bench.reply(bench.newest(STEP), reply);
    return bench;
  }

  private static UUID newest(EngineBench bench) {
    return bench.progress(STEP).command().orElse(new UUID(9, 9));
  }

  private static UUID first(EngineBench bench) {
    List<UUID> commands = bench.progress(STEP).commands();
    return commands.isEmpty() ? new UUID(9, 9) : commands.get(0);
  }

  private static UUID undo(EngineBench bench) {
    return bench.progress(STEP).undo().orElse(new UUID(9, 9));
  }

  private static Stream<String> lines(String resource) {
    try (InputStream in =
        Objects.requireNonNull(EngineTableTest.class.getResourceAsStream(resource), resource)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8).lines();
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }
}
