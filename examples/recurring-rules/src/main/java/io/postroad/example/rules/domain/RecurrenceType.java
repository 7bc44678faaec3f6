package io.postroad.example.rules.domain;

/** How a rule recurs. */
public enum RecurrenceType {
  DAILY,
  WEEKLY,
  MONTHLY,
  YEARLY
}
