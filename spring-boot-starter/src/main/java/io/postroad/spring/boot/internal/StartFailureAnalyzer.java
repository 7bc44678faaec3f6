package io.postroad.spring.boot.internal;

import io.postroad.framework.internal.settings.Refusals;
import io.postroad.message.PostroadException;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Prints what is wrong with the configuration, the schema or a process, and what to change. */
final class StartFailureAnalyzer extends AbstractFailureAnalyzer<PostroadException> {

  @Override
  protected @Nullable FailureAnalysis analyze(Throwable root, PostroadException cause) {
    return Refusals.explain(cause)
        .map(refusal -> new FailureAnalysis(refusal.problem(), refusal.action(), cause))
        .orElse(null);
  }
}
