/** Commands, and what their handlers answer. */
@NullMarked
package io.postroad.example.payments.application.command;

import org.jspecify.annotations.NullMarked;
