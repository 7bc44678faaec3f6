package io.postroad.internal.process.engine;

import java.util.Optional;

/**
 * A branch of a fork. What its steps reply is its own until it has met the others.
 *
 * @param fork whose branch it is
 * @param branch which one: 0, 1, 2 ...
 * @param parent the branch that the fork itself is in
 */
public record Scope(String fork, int branch, Optional<Scope> parent) {

  String name() {
    return fork + "/" + branch;
  }
}
