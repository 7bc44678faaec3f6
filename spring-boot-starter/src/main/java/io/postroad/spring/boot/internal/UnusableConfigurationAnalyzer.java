package io.postroad.spring.boot.internal;

import io.postroad.spring.boot.UnusableConfigurationException;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Tells what is wrong with the configuration, and the way out. */
final class UnusableConfigurationAnalyzer
    extends AbstractFailureAnalyzer<UnusableConfigurationException> {

  @Override
  protected FailureAnalysis analyze(Throwable root, UnusableConfigurationException cause) {
    return new FailureAnalysis(String.valueOf(cause.getMessage()), cause.action(), cause);
  }
}
