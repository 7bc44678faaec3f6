package io.postroad.spring.boot.test;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.context.annotation.Import;

/**
 * Beside {@code @SpringBootTest}: nothing of Postroad starts by itself, what would be sent is
 * written down in {@link PublishedMessages} and handled by the handlers of the application that
 * want it, and {@link PostroadDrain} does all that is due when the test says so, on the thread of
 * the test. Store and transactions are the application's own.
 *
 * <p>A test method must not itself be {@code @Transactional}: what is not committed is not sent.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Import(PostroadTestConfiguration.class)
public @interface PostroadTest {}
