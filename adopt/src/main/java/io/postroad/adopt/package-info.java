/**
 * Reads the outbox that a team has and reports how Postroad runs on it. {@link
 * io.postroad.adopt.PostgresAdoption} and {@link io.postroad.adopt.MongoAdoption} read a table or a
 * collection into a {@link io.postroad.adopt.TableShape}, {@link io.postroad.adopt.Recogniser}
 * makes a {@link io.postroad.layout.Layout} of it, and {@link io.postroad.adopt.Adoption} is the
 * result with its report. {@link io.postroad.adopt.AdoptMain} is the command line.
 */
@NullMarked
package io.postroad.adopt;

import org.jspecify.annotations.NullMarked;
