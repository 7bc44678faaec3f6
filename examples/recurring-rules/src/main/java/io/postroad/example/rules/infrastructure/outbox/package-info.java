/** The outbox of the team, which Postroad works in. */
@NullMarked
package io.postroad.example.rules.infrastructure.outbox;

import org.jspecify.annotations.NullMarked;
