package io.postroad.example.payments.infrastructure.messaging;

import java.util.Locale;

/** Names of queues, or of topics: {@code {PREFIX}.{COMMAND_TYPE}.{SUFFIX}}. */
public final class Queues {
  /** The queue of replies. */
  public static final String REPLIES = "APP.CMD.REPLY.Q";

  /** The queue of events about submitted payments. */
  public static final String PAYMENTS = "APP.EVT.PAYMENT.Q";

  private static final String PREFIX = "APP.CMD";
  private static final String SUFFIX = "Q";

  private Queues() {}

  /** Returns the queue of a command type: {@code APP.CMD.BOOKLIMITS.Q} for {@code BookLimits}. */
  public static String of(String commandType) {
    return "%s.%s.%s".formatted(PREFIX, commandType.toUpperCase(Locale.ROOT), SUFFIX);
  }
}
