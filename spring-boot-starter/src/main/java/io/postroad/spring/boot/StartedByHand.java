package io.postroad.spring.boot;

/**
 * A bean of this type says that nothing of Postroad starts with the application: tests drain it.
 */
public final class StartedByHand {}
