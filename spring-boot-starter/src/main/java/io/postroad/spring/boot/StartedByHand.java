package io.postroad.spring.boot;

/** A marker bean: no part of Postroad starts with the application, because a test drains it. */
public final class StartedByHand {}
