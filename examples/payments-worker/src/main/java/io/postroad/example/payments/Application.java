package io.postroad.example.payments;

import io.micronaut.runtime.Micronaut;

/** The worker. */
public final class Application {
  private Application() {}

  public static void main(String[] args) {
    Micronaut.run(Application.class, args);
  }
}
