package io.postroad.tck;

import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.jupiter.api.extension.TestWatcher;

/** Gives each test its {@link StoreUnderTest} and tells the {@link TckRun} what became of it. */
final class TckExtension implements ParameterResolver, TestWatcher {
  private static final Namespace NAMESPACE = Namespace.create(TckExtension.class);

  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
    return parameter.getParameter().getType() == StoreUnderTest.class;
  }

  @Override
  public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
    return context
        .getStore(NAMESPACE)
        .computeIfAbsent(
            StoreUnderTest.class, type -> new StoreUnderTest(run(context).fixture()), Object.class);
  }

  @Override
  public void testSuccessful(ExtensionContext context) {
    run(context).passed(context.getRequiredTestClass());
  }

  @Override
  public void testFailed(ExtensionContext context, @Nullable Throwable cause) {
    run(context).failed(context.getRequiredTestClass());
  }

  @Override
  public void testAborted(ExtensionContext context, @Nullable Throwable cause) {
    run(context).skipped(context.getRequiredTestClass());
  }

  @Override
  public void testDisabled(ExtensionContext context, Optional<String> reason) {
    run(context).skipped(context.getRequiredTestClass());
  }

  /** The run of this suite: the root context lives as long as the suite does. */
  private static TckRun run(ExtensionContext context) {
    return Objects.requireNonNull(
        context
            .getRoot()
            .getStore(NAMESPACE)
            .computeIfAbsent(
                TckRun.class,
                type ->
                    TckRun.start(
                        context
                            .getConfigurationParameter(StoreTck.FIXTURE)
                            .orElseThrow(
                                () ->
                                    new IllegalStateException(
                                        "no fixture: put @ConfigurationParameter(key = \""
                                            + StoreTck.FIXTURE
                                            + "\", value = \"...\") on the suite class"))),
                TckRun.class));
  }
}
