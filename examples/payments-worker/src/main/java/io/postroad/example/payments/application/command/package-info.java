/** Commands and their replies. */
@NullMarked
package io.postroad.example.payments.application.command;

import org.jspecify.annotations.NullMarked;
