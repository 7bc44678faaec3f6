package io.postroad.example.payments;

import io.micronaut.runtime.Micronaut;

/** Starts the worker. */
public final class Application {
  private Application() {}

  public static void main(String[] args) {
    Micronaut.run(Application.class, args);
  }
}
