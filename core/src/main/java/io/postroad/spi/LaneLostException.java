package io.postroad.spi;

import io.postroad.message.PostroadException;

/**
 * The lease of a lane no longer holds: another node has taken it, or the database has forgotten
 * what this owner remembers (a crash of the server, a promotion). Nothing was changed.
 */
public final class LaneLostException extends PostroadException {
  private static final long serialVersionUID = 1L;

  private final String verb;

  public LaneLostException(LaneLease lease, String verb) {
    super(
        "lane %d is lost: node '%s' wanted to %s under epoch %d, which no longer holds; nothing was"
                .formatted(lease.lane(), lease.node(), verb, lease.epoch())
            + " changed, and the owner of the lane goes on");
    this.verb = verb;
  }

  /** Returns the verb that was tried. */
  public String verb() {
    return verb;
  }
}
