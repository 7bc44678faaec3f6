package io.postroad.micrometer;

import io.micrometer.core.instrument.MeterRegistry;
import io.postroad.process.ProcessObserver;
import io.postroad.process.ProcessSignal;
import io.postroad.process.ProcessSignal.Logged;
import java.util.Map;
import java.util.Set;

/**
 * The meters of processes. Pass it to {@code BaseProcessManager.builder(..).observer(..)}.
 *
 * <p>Safe to use from many threads. A crash loses the values of its counters; the table {@code
 * process_log} has the record.
 */
public final class ProcessMeters implements ProcessObserver {
  private static final String STARTED = "ProcessStarted";
  private static final String RETRY = "RetryScheduled";
  private static final Map<String, String> ENDS_OF_STEPS =
      Map.of(
          "StepCompleted", "completed",
          "StepFailed", "failed",
          "StepUndelivered", "failed",
          "StepTimedOut", "timed-out");

  private final MeterBook book;
  private final Listening<ProcessSignal> listening = new Listening<>();

  private ProcessMeters(MeterBook book) {
    this.book = book;
    book.introduce("process");
    listening
        .on(Logged.class, this::logged)
        .on(
            ProcessSignal.Ended.class,
            signal ->
                book.count(
                    PostroadMeter.PROCESS_ENDED, signal.processType(), signal.status().name()))
        .on(
            ProcessSignal.ReplyIgnored.class,
            signal -> book.count(PostroadMeter.PROCESS_REPLIES_IGNORED, signal.why()))
        .on(
            ProcessSignal.Stuck.class,
            signal -> book.count(PostroadMeter.PROCESS_STUCK, signal.processType()))
        .on(ProcessSignal.SetAside.class, signal -> book.count(PostroadMeter.PROCESS_REPLIES_ASIDE))
        .on(
            ProcessSignal.StoreFailed.class,
            signal -> book.count(PostroadMeter.PROCESS_STORE_FAILURES, signal.verb()))
        .on(
            ProcessSignal.Forgotten.class,
            signal -> book.add(PostroadMeter.PROCESS_FORGOTTEN, signal.processes()));
  }

  public static ProcessMeters of(MeterRegistry registry) {
    return new ProcessMeters(new MeterBook(registry));
  }

  @Override
  public void on(ProcessSignal signal) {
    listening.tell(signal);
  }

  Set<Class<?>> kinds() {
    return listening.kinds();
  }

  private void logged(Logged signal) {
    String type = signal.processType();
    book.count(PostroadMeter.PROCESS_EVENTS, type, signal.event());
    String end = ENDS_OF_STEPS.getOrDefault(signal.event(), "");
    if (!end.isEmpty()) {
      book.time(PostroadMeter.PROCESS_STEP_DURATION, signal.after(), type, signal.step(), end);
    } else if (signal.event().equals(STARTED)) {
      book.count(PostroadMeter.PROCESS_STARTED, type);
    } else if (signal.event().equals(RETRY)) {
      book.count(PostroadMeter.PROCESS_STEP_RETRIES, type, signal.step());
    }
  }
}
