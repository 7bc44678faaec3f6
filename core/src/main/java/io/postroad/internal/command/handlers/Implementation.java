package io.postroad.internal.command.handlers;

import io.postroad.command.CommandHandler;
import java.util.Collection;

/**
 * What is behind a handler, however often and in whatever wrapping it is seen.
 *
 * @param owner the class that has the method, without proxies; of an explicit handler its own class
 * @param method the method's name; empty for an explicit handler
 */
public record Implementation(Class<?> owner, String method) {
  private static final String EXPLICIT = "explicit handler";
  private static final String LAMBDA = "$$Lambda";

  static Implementation explicit(CommandHandler<?, ?> handler) {
    return new Implementation(handler.getClass(), "");
  }

  /** Whether a proxy of this can be one of the other: an interface may be all that it shows. */
  boolean covers(Implementation other) {
    boolean sameOwner = owner.equals(other.owner);
    boolean ownInterface = owner.isInterface() && owner.isAssignableFrom(other.owner);
    return method.equals(other.method) && (sameOwner || ownInterface);
  }

  /** As short as it can be without being taken for one of the others. */
  String labelAmong(Collection<Implementation> all) {
    boolean nameIsTaken =
        all.stream()
            .anyMatch(
                other -> !other.owner.equals(owner) && other.simpleName().equals(simpleName()));
    boolean ownerIsTaken =
        all.stream().anyMatch(other -> other.owner.equals(owner) && !other.equals(this));
    String name = nameIsTaken ? qualifiedName() : simpleName();
    return ownerIsTaken ? name + "." + method : name;
  }

  private String simpleName() {
    if (owner.isHidden()) {
      return EXPLICIT;
    }
    String name = owner.getSimpleName();
    return name.isEmpty() ? owner.getName().substring(owner.getName().lastIndexOf('.') + 1) : name;
  }

  private String qualifiedName() {
    String name = owner.getName();
    int lambda = name.indexOf(LAMBDA);
    return lambda < 0 ? name : EXPLICIT + " in " + name.substring(0, lambda);
  }

  @Override
  public String toString() {
    return method.isEmpty() ? simpleName() : simpleName() + "." + method;
  }
}
