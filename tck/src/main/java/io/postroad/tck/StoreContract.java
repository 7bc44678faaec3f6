package io.postroad.tck;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * A contract: a class of tests, each of which gets a {@link StoreUnderTest} over empty data as a
 * parameter. It is run by {@link StoreTck} only, never by itself.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(TckExtension.class)
@Timeout(180)
public @interface StoreContract {}
