package io.postroad.example.rules.domain;

/** The kinds of patterns. */
public enum RecurrenceType {
  DAILY,
  WEEKLY,
  MONTHLY,
  YEARLY
}
