package io.postroad.internal.command;

import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The types of commands that other nodes or services handle, and the address of this service for
 * their replies. Immutable.
 *
 * @param destinations where commands of a type are sent to
 * @param elsewhere types that other nodes with the same database handle
 * @param replyTo where replies to sent commands arrive
 * @param owner names this service in the replies
 */
public record CommandRoutes(
    Map<String, String> destinations,
    Set<String> elsewhere,
    Optional<String> replyTo,
    Optional<String> owner) {

  public CommandRoutes {
    destinations = Map.copyOf(destinations);
    elsewhere = Set.copyOf(elsewhere);
  }

  /**
   * Checks that each command that is sent can be replied to.
   *
   * @throws IllegalStateException when a setting is missing or does not fit
   */
  void requireReplies() {
    if (!destinations.isEmpty() && replyTo.isEmpty()) {
      throw new IllegalStateException(
          "commands of %s are sent, but their replies have no destination: name one with"
                  .formatted(destinations.keySet())
              + " CommandBus.builder(..).replyTo(destination)");
    }
    if (replyTo.isPresent() && owner.isEmpty()) {
      throw new IllegalStateException(
          "replies come to '%s', where other services may receive, too, and this service has no"
                  .formatted(replyTo.get())
              + " name that its replies would carry: name it with"
              + " CommandBus.builder(..).owner(\"orders\")");
    }
    if (replyTo.isPresent() && destinations.containsValue(replyTo.get())) {
      throw new IllegalStateException(
          "commands are sent to '%s', and replies come to it: use another destination for replies"
              .formatted(replyTo.get()));
    }
  }

  boolean isSent(String type) {
    return destinations.containsKey(type);
  }
}
