package io.postroad.demo;

/** Runs the demo; exits with 0 only if no event was lost, out of order or a phantom. */
public final class Demo {
  private Demo() {}

  public static void main(String[] args) throws Exception {
    Counts counts = new DemoRun(DemoPlan.standard(), Narrator.ofThisProcess()).run();
    System.exit(counts.ok() ? 0 : 1);
  }
}
