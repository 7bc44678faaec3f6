/**
 * Types that applications on Spring Boot and on Micronaut share.
 *
 * <p>{@link io.postroad.framework.RetryLine} is the retry line of the inbox as a bean, {@link
 * io.postroad.framework.RetryLineObserver} observes it, and {@link
 * io.postroad.framework.UnusableConfigurationException} refuses a start. All other code of this
 * module is internal.
 */
@NullMarked
package io.postroad.framework;

import org.jspecify.annotations.NullMarked;
