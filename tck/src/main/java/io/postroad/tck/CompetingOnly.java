package io.postroad.tck;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Tag;

/** A contract of {@link io.postroad.spi.CompetingStore}: {@link CompetingStoreTck} runs it. */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Tag("competing")
public @interface CompetingOnly {}
