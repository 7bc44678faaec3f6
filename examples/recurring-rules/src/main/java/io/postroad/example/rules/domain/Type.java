package io.postroad.example.rules.domain;

/** The direction of the money. */
public enum Type {
  INFLOW,
  OUTFLOW
}
