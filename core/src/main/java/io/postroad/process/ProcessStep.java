package io.postroad.process;

/** A line that has come to a step. */
public interface ProcessStep extends ProcessLine, StepSettings<ProcessStep> {}
