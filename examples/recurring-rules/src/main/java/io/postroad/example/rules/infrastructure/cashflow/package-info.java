/** A cash flow service for the example. */
@NullMarked
package io.postroad.example.rules.infrastructure.cashflow;

import org.jspecify.annotations.NullMarked;
