package io.postroad.faults;

import io.postroad.spi.CommandStore;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;

/** A moment in the life of a command at which its process dies, between two statements. */
enum CommandPoint {
  /** Its row is written, the caller's transaction is not committed. */
  ACCEPTED("accept", true),
  /** The claim is committed, nothing else was done. */
  CLAIMED("claim", true),
  /** The handler's transaction has the fence, the handler has not begun. */
  OPENED("open", true),
  /** The handler has written its rows and its event, the outcome is not written. */
  HANDLED("finishUnended", false),
  /** The outcome is written, the reply and the commit are not. */
  FINISHED("finishUnended", true),
  /** Everything is committed, and no notice was sent. */
  COMMITTED("", false);

  private final String verb;
  private final boolean after;

  CommandPoint(String verb, boolean after) {
    this.verb = verb;
    this.after = after;
  }

  /** The type of the command that dies here: each process handles its own. */
  String type() {
    return "DieWhen" + name();
  }

  /** The store, whose user dies at this point. */
  @SuppressWarnings("unchecked") // A proxy of the interface that it was asked for.
  <T> CommandStore<T> watching(CommandStore<T> store) {
    return (CommandStore<T>)
        Proxy.newProxyInstance(
            CommandStore.class.getClassLoader(),
            new Class<?>[] {CommandStore.class},
            (proxy, method, args) -> {
              boolean here = method.getName().equals(verb);
              if (here && !after) {
                die();
              }
              try {
                Object result = method.invoke(store, args);
                if (here && !isNothing(result)) {
                  die();
                }
                return result;
              } catch (InvocationTargetException failed) {
                throw failed.getTargetException();
              }
            });
  }

  /** A claim that took nothing is no moment in the life of a command. */
  private static boolean isNothing(Object result) {
    return result instanceof java.util.List<?> list && list.isEmpty();
  }

  /** As by SIGKILL: no hook runs, nothing is flushed or closed. */
  static void die() {
    Runtime.getRuntime().halt(CommandProcess.DIED);
  }
}
