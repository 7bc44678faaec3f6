package io.postroad.example.rules.domain;

/** Which way the money goes. */
public enum Type {
  INFLOW,
  OUTFLOW
}
