/**
 * For tests of an application: nothing runs by itself, messages are written down instead of sent.
 */
@NullMarked
package io.postroad.spring.boot.test;

import org.jspecify.annotations.NullMarked;
