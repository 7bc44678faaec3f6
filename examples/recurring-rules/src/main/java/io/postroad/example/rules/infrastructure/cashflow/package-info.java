/** The cash flow service, as far as the example needs one. */
@NullMarked
package io.postroad.example.rules.infrastructure.cashflow;

import org.jspecify.annotations.NullMarked;
