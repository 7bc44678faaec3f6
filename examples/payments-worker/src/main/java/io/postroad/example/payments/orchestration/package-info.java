/** The processes of the service. */
@NullMarked
package io.postroad.example.payments.orchestration;

import org.jspecify.annotations.NullMarked;
