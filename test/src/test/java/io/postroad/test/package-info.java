@NullMarked
package io.postroad.test;

import org.jspecify.annotations.NullMarked;
