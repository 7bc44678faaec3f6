/** The schedule of runs. */
@NullMarked
package io.postroad.example.rules.infrastructure.schedule;

import org.jspecify.annotations.NullMarked;
