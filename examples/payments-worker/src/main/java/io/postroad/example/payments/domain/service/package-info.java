/** The handlers of commands: each loads one aggregate, changes it and saves it. */
@NullMarked
package io.postroad.example.payments.domain.service;

import org.jspecify.annotations.NullMarked;
