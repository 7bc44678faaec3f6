package io.postroad.internal.process.engine;

import java.util.Optional;

/**
 * A branch of a fork. Its steps write to their own data until the join.
 *
 * @param fork the id of the fork
 * @param branch the number of the branch: 0, 1, 2 ...
 * @param parent the branch that the fork itself is in
 */
public record Scope(String fork, int branch, Optional<Scope> parent) {

  String name() {
    return fork + "/" + branch;
  }
}
