package io.postroad.example.rules.application;

import io.postroad.example.rules.domain.RuleEvent;
import java.util.List;

/** Appends events, in the transaction of the thread. */
public interface RuleEvents {

  void append(List<RuleEvent> events);
}
