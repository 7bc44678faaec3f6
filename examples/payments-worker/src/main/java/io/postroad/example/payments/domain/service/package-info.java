/** The handlers of commands: each loads one aggregate, has it do the work, and saves it. */
@NullMarked
package io.postroad.example.payments.domain.service;

import org.jspecify.annotations.NullMarked;
