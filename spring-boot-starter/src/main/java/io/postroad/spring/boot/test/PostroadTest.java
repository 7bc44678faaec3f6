package io.postroad.spring.boot.test;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.context.annotation.Import;

/**
 * Prepares a {@code @SpringBootTest} for Postroad. No part starts by itself. {@link
 * PublishedMessages} takes the place of the broker and passes messages to the handlers of the
 * application. {@link PostroadDrain} does all due work when the test says so, on the thread of the
 * test. Store and transactions are the application's own.
 *
 * <p>A test method must not itself be {@code @Transactional}: only committed messages are sent.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Import(PostroadTestConfiguration.class)
public @interface PostroadTest {}
