package io.postroad.tck;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * A contract: a class of tests, each of which gets a {@link StoreUnderTest} over empty data as a
 * parameter. It holds for both kinds of stores, unless it says {@link CompetingOnly} or {@link
 * OrderedOnly}. It is run by the suites only, never by itself.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(TckExtension.class)
@Timeout(180)
public @interface StoreContract {}
