package io.postroad.micrometer;

import io.micrometer.common.KeyValue;
import io.micrometer.common.KeyValues;
import io.micrometer.observation.GlobalObservationConvention;
import io.micrometer.observation.Observation;
import io.postroad.trace.Operation;
import io.postroad.trace.Operation.Verb;

/**
 * Names the operations of one verb: spans are called {@code {operation} {destination}}, keys are
 * those of {@link OtelMessaging}. Ids are of high cardinality: they are on spans, never on meters.
 *
 * <p>Extend it for other names, and pass it to {@link ObservedTracing#withConvention}, or register
 * it with the observation registry. Immutable; safe to use from many threads.
 */
public class OperationConvention implements GlobalObservationConvention<Observation.Context> {

  private final Verb verb;

  public OperationConvention(Verb verb) {
    this.verb = verb;
  }

  /** Returns the verb of the operations that it names. */
  public final Verb verb() {
    return verb;
  }

  @Override
  public boolean supportsContext(Observation.Context context) {
    return context instanceof OperationContext known && known.operation().verb() == verb;
  }

  /** Returns the name of the observation, and so of the timer. */
  @Override
  public String getName() {
    return OtelMessaging.observationOf(verb);
  }

  @Override
  public String getContextualName(Observation.Context context) {
    Operation operation = ((OperationContext) context).operation();
    return OtelMessaging.nameOf(verb) + " " + operation.destination();
  }

  @Override
  public KeyValues getLowCardinalityKeyValues(Observation.Context context) {
    OperationContext known = (OperationContext) context;
    Operation operation = known.operation();
    String name = OtelMessaging.nameOf(verb);
    if (verb == Verb.STEP) {
      return KeyValues.of(
          KeyValue.of(OtelMessaging.PROCESS_TYPE, operation.destination()),
          KeyValue.of(OtelMessaging.PROCESS_STEP, operation.type()));
    }
    return KeyValues.of(
        KeyValue.of(OtelMessaging.SYSTEM, known.system()),
        KeyValue.of(OtelMessaging.OPERATION_NAME, name),
        KeyValue.of(OtelMessaging.OPERATION_TYPE, name),
        KeyValue.of(OtelMessaging.DESTINATION, operation.destination()),
        KeyValue.of(OtelMessaging.MESSAGE_TYPE, operation.type()));
  }

  @Override
  public KeyValues getHighCardinalityKeyValues(Observation.Context context) {
    Operation operation = ((OperationContext) context).operation();
    String key = verb == Verb.STEP ? OtelMessaging.PROCESS_ID : OtelMessaging.MESSAGE_ID;
    return KeyValues.of(KeyValue.of(key, operation.id()));
  }
}
