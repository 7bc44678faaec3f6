package io.postroad.process.dsl;

/** A line that has come to a step. */
public interface ProcessStep extends ProcessLine, StepSettings<ProcessStep> {}
