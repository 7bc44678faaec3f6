package io.postroad.micronaut.guide;

public enum AccountType {
  CHECKING,
  SAVINGS
}
