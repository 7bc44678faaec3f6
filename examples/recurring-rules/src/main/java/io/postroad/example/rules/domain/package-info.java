/** Recurring rules, independent of all other packages. */
@NullMarked
package io.postroad.example.rules.domain;

import org.jspecify.annotations.NullMarked;
