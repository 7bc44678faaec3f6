/** The outbox of the team, run by Postroad. */
@NullMarked
package io.postroad.example.rules.infrastructure.outbox;

import org.jspecify.annotations.NullMarked;
