package io.postroad.spring.boot.internal;

import io.postroad.inbox.Handlers;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;

/** Whether the application has handlers of messages, and this node is to call them. */
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
@ConditionalOnBean(Handlers.class)
@ConditionalOnBooleanProperty(name = "postroad.inbox.enabled", matchIfMissing = true)
public @interface ConditionalOnInbox {}
