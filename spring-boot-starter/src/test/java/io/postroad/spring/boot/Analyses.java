package io.postroad.spring.boot;

import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.diagnostics.FailureAnalyzer;
import org.springframework.core.io.support.SpringFactoriesLoader;
import org.springframework.core.io.support.SpringFactoriesLoader.FailureHandler;

/** What Spring Boot prints when an application does not start; by the analyzers that are listed. */
final class Analyses {
  private Analyses() {}

  static FailureAnalysis of(@Nullable Throwable failure) {
    Objects.requireNonNull(failure, "the application has started");
    for (FailureAnalyzer analyzer :
        SpringFactoriesLoader.forDefaultResourceLocation()
            .load(FailureAnalyzer.class, FailureHandler.handleMessage((message, thrown) -> {}))) {
      FailureAnalysis analysis = analyzer.analyze(failure);
      if (analysis != null) {
        return analysis;
      }
    }
    throw new AssertionError("no analyzer explains why the application does not start", failure);
  }
}
