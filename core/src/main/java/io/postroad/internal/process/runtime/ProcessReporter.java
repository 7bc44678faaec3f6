package io.postroad.internal.process.runtime;

import io.postroad.internal.loop.ErrorText;
import io.postroad.internal.process.engine.ProcessState;
import io.postroad.internal.process.engine.Result.Logged;
import io.postroad.process.FailureKind;
import io.postroad.process.ProcessEvent;
import io.postroad.process.ProcessManager;
import io.postroad.process.ProcessObserver;
import io.postroad.process.ProcessSignal;
import io.postroad.process.ProcessSignal.Ended;
import io.postroad.process.ProcessStatus;
import java.util.List;
import java.util.UUID;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Writes log lines and tells the observer. Safe to use from many threads. */
public final class ProcessReporter {
  private static final Logger LOG = LoggerFactory.getLogger(ProcessManager.class);

  private final String name;
  private final ProcessObserver observer;

  public ProcessReporter(String name, ProcessObserver observer) {
    this.name = name;
    this.observer = observer;
  }

  void applied(ProcessState state, List<Logged> events) {
    boolean ends = false;
    for (Logged logged : events) {
      String type = logged.event().type();
      String step = logged.event().about().orElse("");
      LOG.debug("{}: {} {}; process={} type={}", name, type, step, state.id(), state.type());
      tell(new ProcessSignal.Logged(state.id(), state.type(), type, step, logged.after()));
      if (logged.event() instanceof ProcessEvent.RequestQueued queued) {
        LOG.info(
            "{}: {} is queued for a node that has the definition of the process; process={} type={}",
            name,
            queued.verb(),
            state.id(),
            state.type());
      } else if (logged.event() instanceof ProcessEvent.RequestRefused refused) {
        LOG.warn(
            "{}: {}, which was queued, is not possible any more: {}; process={} type={}",
            name,
            refused.verb(),
            refused.error(),
            state.id(),
            state.type());
      }
      if (logged.event() instanceof ProcessEvent.SignalIgnored ignored) {
        LOG.warn(
            "{}: signal '{}' ignored: enough early signals are kept for all waits to come; process={} type={}",
            name,
            ignored.signal(),
            state.id(),
            state.type());
      }
      ends |=
          logged.event() instanceof ProcessEvent.ProcessCompleted
              || logged.event() instanceof ProcessEvent.ProcessCompensated
              || logged.event() instanceof ProcessEvent.ProcessFailed;
    }
    if (ends) {
      if (state.status() == ProcessStatus.FAILED && isAskedFor(state)) {
        LOG.info(
            "{}: a process was ended by an operator; process={} type={} businessKey={} kind={} reason={}",
            name,
            state.id(),
            state.type(),
            state.businessKey(),
            state.failureKind().map(Enum::name).orElse(""),
            state.failureText().orElse(""));
      } else if (state.status() == ProcessStatus.FAILED) {
        LOG.error(
            "{}: a process has FAILED; process={} type={} businessKey={} kind={} error={}",
            name,
            state.id(),
            state.type(),
            state.businessKey(),
            state.failureKind().map(Enum::name).orElse(""),
            state.failureText().orElse(""));
      }
      tell(new Ended(state.id(), state.type(), state.status()));
    }
  }

  /** Returns whether an operator ended the process and no undo failed. */
  private static boolean isAskedFor(ProcessState state) {
    return state
        .failureKind()
        .filter(kind -> kind == FailureKind.TERMINATED || kind == FailureKind.CANCELLED)
        .isPresent();
  }

  void ignored(UUID process, UUID command, String why) {
    LOG.debug("{}: a reply was ignored: {}; process={} command={}", name, why, process, command);
    tell(new ProcessSignal.ReplyIgnored(process, command, why));
  }

  void orphaned(UUID process, ProcessState.Carried carried) {
    LOG.warn(
        "{}: {} did not go on with a command within its time, any node may take it now; process={}"
            + " command={}",
        name,
        carried.node(),
        process,
        carried.command());
  }

  void notHere(UUID process, Throwable why) {
    LOG.warn(
        "{}: a process is left to other nodes; process={} why={}",
        name,
        process,
        ErrorText.of(why));
  }

  void stuck(UUID process, String type, String why) {
    LOG.error("{}: a process is stuck: {}; process={} type={}", name, why, process, type);
    tell(new ProcessSignal.Stuck(process, type, why));
  }

  void failed(UUID process, String what, Throwable failure) {
    LOG.warn(
        "{}: {} of a process failed, it is tried again later; process={} error={}",
        name,
        what,
        process,
        ErrorText.of(failure),
        failure);
    tell(new ProcessSignal.StoreFailed(name, what, ErrorText.of(failure)));
  }

  void setAside(UUID process, int tries, Throwable failure) {
    LOG.error(
        "{}: a reply could not be applied {} times and is tried less often from now on; check the"
            + " process; process={} error={}",
        name,
        tries,
        process,
        ErrorText.of(failure),
        failure);
    tell(new ProcessSignal.SetAside(process, ErrorText.of(failure)));
  }

  void stillAside(UUID process, Throwable failure) {
    LOG.debug(
        "{}: a reply still cannot be applied; process={} error={}",
        name,
        process,
        ErrorText.of(failure));
  }

  void forgotten(int processes) {
    tell(new ProcessSignal.Forgotten(name, processes));
  }

  /** Calls the store; tells the observer of a failure and rethrows it. */
  <R> R ask(String verb, Supplier<R> question) {
    try {
      return question.get();
    } catch (RuntimeException | Error failed) {
      tell(new ProcessSignal.StoreFailed(name, verb, ErrorText.of(failed)));
      throw failed;
    }
  }

  private void tell(ProcessSignal signal) {
    try {
      observer.on(signal);
    } catch (RuntimeException | Error broken) {
      LOG.warn("{}: the observer failed; error={}", name, ErrorText.of(broken));
    }
  }
}
