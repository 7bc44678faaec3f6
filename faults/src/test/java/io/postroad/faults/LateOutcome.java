package io.postroad.faults;

import io.postroad.message.Message;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** Outcome that a relay receives after it was held up; one for each way to settle. */
enum LateOutcome {
  /** The broker had acknowledged it before the hold-up: a late DISPATCHED. */
  ACKNOWLEDGED_BEFORE,
  /** It is handed to the broker after the hold-up, so that it arrives once more. */
  SENT_AFTER,
  /** The outcome is unknown: a late release. */
  UNKNOWN,
  /** Refused for now: a late retry. */
  REFUSED_FOR_NOW,
  /** Refused for good: a late dead letter. */
  REFUSED_FOR_GOOD;

  /** Deals the messages out, one outcome after the other. */
  static Map<LateOutcome, List<Message>> dealtTo(List<Message> messages) {
    Map<LateOutcome, List<Message>> dealt = new EnumMap<>(LateOutcome.class);
    for (int i = 0; i < messages.size(); i++) {
      LateOutcome outcome = values()[i % values().length];
      dealt.computeIfAbsent(outcome, none -> new ArrayList<>()).add(messages.get(i));
    }
    return dealt;
  }
}
