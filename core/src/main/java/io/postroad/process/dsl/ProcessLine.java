package io.postroad.process.dsl;

import io.postroad.process.ProcessEnd;

/** A line of steps outside of any condition that is still open. */
public interface ProcessLine extends Line<ProcessStep, ProcessLine>, ProcessEnd.WithDeadline {}
