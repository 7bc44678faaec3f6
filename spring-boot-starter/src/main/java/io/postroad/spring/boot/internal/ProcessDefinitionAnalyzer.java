package io.postroad.spring.boot.internal;

import io.postroad.process.ProcessDefinitionException;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Tells what is wrong with process definitions. */
final class ProcessDefinitionAnalyzer extends AbstractFailureAnalyzer<ProcessDefinitionException> {

  @Override
  protected FailureAnalysis analyze(Throwable root, ProcessDefinitionException cause) {
    return new FailureAnalysis(
        String.valueOf(cause.getMessage()),
        "Correct the ProcessConfiguration beans that are named. A missing handler is a bean with a"
            + " public method that has the command as its one parameter, or an entry of"
            + " postroad.commands.send for a command that another service handles.",
        cause);
  }
}
