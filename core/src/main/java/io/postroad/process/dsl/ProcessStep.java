package io.postroad.process.dsl;

/** A line that ends with a step. */
public interface ProcessStep extends ProcessLine, StepSettings<ProcessStep> {}
