package io.postroad.spring.boot.internal;

import io.postroad.inbox.Handlers;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;

/** Matches if the application has handlers of messages and the inbox is switched on. */
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
@ConditionalOnBean(Handlers.class)
@ConditionalOnBooleanProperty(name = "postroad.inbox.enabled", matchIfMissing = true)
public @interface ConditionalOnInbox {}
