package io.postroad.example.rules.application;

import io.postroad.example.rules.domain.RuleEvent;
import java.util.List;

/** Where events are put, as a part of the transaction that the thread is in. */
public interface RuleEvents {

  void append(List<RuleEvent> events);
}
