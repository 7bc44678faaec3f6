package io.postroad.tck;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Tag;

/** A contract of {@link io.postroad.spi.OrderedStore}: {@link OrderedStoreTck} runs it. */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Tag("ordered")
public @interface OrderedOnly {}
