package io.postroad.demo;

/**
 * Runs the demo; exits with 0 only if nothing was lost, nothing came out of order or never
 * happened.
 */
public final class Demo {
  private Demo() {}

  public static void main(String[] args) throws Exception {
    Counts counts = new DemoRun(DemoPlan.standard(), Narrator.ofThisProcess()).run();
    System.exit(counts.ok() ? 0 : 1);
  }
}
